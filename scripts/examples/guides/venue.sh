# Client of a Strikebook venue for the shell programs in this folder, which begin with `. ./venue.sh`.
#
# Debian packages: curl jq python3-ecdsa python3-pycryptodome. signer.py signs with the key in STRIKEBOOK_KEY.
# The first argument or STRIKEBOOK_URL is the URL of the venue.
set -eu
export STRIKEBOOK_URL="${1:-${STRIKEBOOK_URL:-http://127.0.0.1:8080}}"
STRIKEBOOK_KEY=$(python3 signer.py key) # a new key; its address is the wallet
export STRIKEBOOK_KEY
wallet=$(python3 signer.py address)

get() { curl -sS --retry 9 "$STRIKEBOOK_URL$1"; }                            # PATH: asks again after 503
send() { curl -sS -X "$1" -d "$3" "$STRIKEBOOK_URL$2"; }                     # METHOD PATH BODY
write() { send "$1" "$2" "$(python3 signer.py sign "$@")"; }                 # METHOD PATH BODY: signs it first
value() { printf '%s\n' "$1" | jq -r "$2"; }                                 # JSON FILTER
fail() { echo "failed: $*" >&2 && exit 1; }                                  # MESSAGE
check() { printf '%s\n' "$1" | jq -e "$2" >/dev/null || fail "$2 of: $1"; }  # JSON CONDITION
