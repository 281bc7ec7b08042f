// Made by npm run pin-binaries.
import type { PinnedPackage } from '../pinned-package.js'

/** Every native binary that a venue may load, of all platforms. */
export const pinnedPackages: readonly PinnedPackage[] = [
  {
    name: '@libsql/darwin-arm64',
    version: '0.5.29',
    integrity:
      'sha512-K+2RIB1OGFPYQbfay48GakLhqf3ArcbHqPFu7EZiaUcRgFcdw8RoltsMyvbj5ix2fY0HV3Q3Ioa/ByvQdaSM0A==',
    binaries: {
      'index.node': '3fd9e58190311b5ee027c3e5452a6a410b31a5d610fd55853d797bb3c9f5db0c',
    },
  },
  {
    name: '@libsql/darwin-x64',
    version: '0.5.29',
    integrity:
      'sha512-OtT+KFHsKFy1R5FVadr8FJ2Bb1mghtXTyJkxv0trocq7NuHntSki1eUbxpO5ezJesDvBlqFjnWaYYY516QNLhQ==',
    binaries: {
      'index.node': 'f9351876c884c0fec20eccfb9ddbcdd753f3458f0ffc6757e3308fea37191bf3',
    },
  },
  {
    name: '@libsql/linux-arm-gnueabihf',
    version: '0.5.29',
    integrity:
      'sha512-CD4n4zj7SJTHso4nf5cuMoWoMSS7asn5hHygsDuhRl8jjjCTT3yE+xdUvI4J7zsyb53VO5ISh4cwwOtf6k2UhQ==',
    binaries: {
      'index.node': '90005eef9e7f1c8d419e1dd304db9496c74b3acac6889f90aa94b7e4d7f1b507',
    },
  },
  {
    name: '@libsql/linux-arm-musleabihf',
    version: '0.5.29',
    integrity:
      'sha512-2Z9qBVpEJV7OeflzIR3+l5yAd4uTOLxklScYTwpZnkm2vDSGlC1PRlueLaufc4EFITkLKXK2MWBpexuNJfMVcg==',
    binaries: {
      'index.node': '605f833a5d9a690fdeb7f6ee09d4be84f51d966f0853428ba9f8362559abc9a4',
    },
  },
  {
    name: '@libsql/linux-arm64-gnu',
    version: '0.5.29',
    integrity:
      'sha512-gURBqaiXIGGwFNEaUj8Ldk7Hps4STtG+31aEidCk5evMMdtsdfL3HPCpvys+ZF/tkOs2MWlRWoSq7SOuCE9k3w==',
    binaries: {
      'index.node': '712f59a8f50a2e537afb7cc1cd57013f29e6026f355a9a4bd4716c0eccbe48c5',
    },
  },
  {
    name: '@libsql/linux-arm64-musl',
    version: '0.5.29',
    integrity:
      'sha512-fwgYZ0H8mUkyVqXZHF3mT/92iIh1N94Owi/f66cPVNsk9BdGKq5gVpoKO+7UxaNzuEH1roJp2QEwsCZMvBLpqg==',
    binaries: {
      'index.node': 'e4a292a56e0b4baf88f22ab5ade36e4ea0991a11577b1c31a6fe19f5e4218fb9',
    },
  },
  {
    name: '@libsql/linux-x64-gnu',
    version: '0.5.29',
    integrity:
      'sha512-y14V0vY0nmMC6G0pHeJcEarcnGU2H6cm21ZceRkacWHvQAEhAG0latQkCtoS2njFOXiYIg+JYPfAoWKbi82rkg==',
    binaries: {
      'index.node': 'f6c322c857c99e43e13c31e7289044d4e0d64528bae4e23ae03f6524afe02d5e',
    },
  },
  {
    name: '@libsql/linux-x64-musl',
    version: '0.5.29',
    integrity:
      'sha512-gquqwA/39tH4pFl+J9n3SOMSymjX+6kZ3kWgY3b94nXFTwac9bnFNMffIomgvlFaC4ArVqMnOZD3nuJ3H3VO1w==',
    binaries: {
      'index.node': 'bed7fdfd3f4139dab101ebafdec8a74ec62799fd65714f1a98918c905597e63d',
    },
  },
  {
    name: '@libsql/win32-x64-msvc',
    version: '0.5.29',
    integrity:
      'sha512-4/0CvEdhi6+KjMxMaVbFM2n2Z44escBRoEYpR+gZg64DdetzGnYm8mcNLcoySaDJZNaBd6wz5DNdgRmcI4hXcg==',
    binaries: {
      'index.node': '5d1de6b0e9b3f2b71d79f4c0f833cd345f7dbb0aa921a89a8ebf0a07571ddc9d',
    },
  },
  {
    name: 'libsql',
    version: '0.5.29',
    integrity:
      'sha512-8lMP8iMgiBzzoNbAPQ59qdVcj6UaE/Vnm+fiwX4doX4Narook0a4GPKWBEv+CR8a1OwbfkgL18uBfBjWdF0Fzg==',
    binaries: {},
  },
  {
    name: 'secp256k1',
    version: '5.0.2',
    integrity:
      'sha512-HwMOXeWjr1UvBNYt9S+w9bMuuyUOrPFQ8CWd23CGai/8vbgtUKS2ITngFOzMhaPZQAPxTb/f9alLou9mPnNV2Q==',
    binaries: {
      'prebuilds/darwin-arm64/secp256k1.node':
        '9193f1e80547127dfa32e80324513d26454557dc2b3dfa8e962d6b6898e0f30d',
      'prebuilds/linux-x64/secp256k1.glibc.node':
        'd93a107b99002110e1bfcc2c427d5cd3e3b89dce278631285557d76fd42497ad',
      'prebuilds/linux-x64/secp256k1.musl.node':
        'd788fdbfb539b60d7e48901013d6e93df0c8a0ddc6e34b30a5221ce018ae1676',
      'prebuilds/win32-x64/secp256k1.node':
        '16313b522f8051b6e82ff06a90b66e1f371716196c4bdfa83366e6ffa0b1b0f6',
    },
  },
  {
    name: 'uWebSockets.js',
    version: '20.0.8',
    integrity:
      'sha512-EziGwZOMH8Y09erf/DHBgaGoTgt+XgqLFoyQfRiDrWHDCZ+jZ5aEBW7fSIcD5LzxDimHK2NxJpmlwSIfJiAZkg==',
    binaries: {
      'dist/bin/uws_darwin_arm64_108.node':
        '5b8a491e3e772ce069dc6aaf0490892d2f6beea4adba1f62e71f3cd58bca19fd',
      'dist/bin/uws_darwin_arm64_115.node':
        '5d523bccbe80d3d8fa59422ff81801b8179212b9a8a5da28bff6926a95a65701',
      'dist/bin/uws_darwin_arm64_120.node':
        '98ffa032aeb84b98d432502738871c5748f6a636536d5705702c4985925a41ae',
      'dist/bin/uws_darwin_arm64_127.node':
        'abbeea53d48e21c01808203e9f9835728f2cea720d2e5b154837ee3045b513be',
      'dist/bin/uws_darwin_x64_108.node':
        'f24bde344f238b7174b2d5641551e618cf98217b2f7fb59e7cd525996bf7ac9f',
      'dist/bin/uws_darwin_x64_115.node':
        '1f2a5c73d9dc3066d39b675b73f2c50eddbc4f270d292a6126ddfe3757c54cf9',
      'dist/bin/uws_darwin_x64_120.node':
        '3dc10babf35b3ce5d4edc7deaddf912a5a72a0ac7ad52b098dbe430c3c540313',
      'dist/bin/uws_darwin_x64_127.node':
        'afd992dc1ca1e33cdc7ce0c72a60baf236e590a257fcecbbbce7bc1a35451387',
      'dist/bin/uws_linux_arm64_108.node':
        'a6820f6e868b615a0c616d9d77270b34893d05f2a7053046403a568697b8befc',
      'dist/bin/uws_linux_arm64_115.node':
        'c0e29fc143b46b584f3debec7910014ec228198fc1f17aaeacd1de7991bd3769',
      'dist/bin/uws_linux_arm64_120.node':
        'a855e3b7cc0db70ec503e296d50e91d2435db679bc3bd5433d7dae30e93c9b3c',
      'dist/bin/uws_linux_arm64_127.node':
        'd4c4f8b2c28c5f6544b49e36d91b0beee238a5b90a07904a947f77061c8b814d',
      'dist/bin/uws_linux_arm_108.node':
        'a42c7e5ed3e65aa6a2c243613ef8b1cac7057ee6291a129f921dea4f6661e34e',
      'dist/bin/uws_linux_arm_115.node':
        'b02d5bc5ab08f040b6b9b818c3eb92806611f77a4dc2439a8f14cac827d498be',
      'dist/bin/uws_linux_arm_120.node':
        '814b5e63337d5072a85276d5279824b4f9817f8008fcff1f4a4345e2f2c30444',
      'dist/bin/uws_linux_arm_127.node':
        '0e1d4024b629a1fe17ec76cde8fe7e320101eb8bdcf7b2c4086933932e3cea23',
      'dist/bin/uws_linux_x64_108.node':
        'b67b3254b1acea464bd6f7b58403c260567c31924abeb6a508a9acdc17a40ce9',
      'dist/bin/uws_linux_x64_115.node':
        '6f8d96d761a64beddb060f1f7f0e617dd293ed127ec1d57507aa561a0083171e',
      'dist/bin/uws_linux_x64_120.node':
        'fcb1172837abd2a2dd130f6c6502f18e9b562a5d88bcc3bcdca5e6e710278080',
      'dist/bin/uws_linux_x64_127.node':
        '8cabc918bbf9a07323e54f89a33882491080b2eb35df0607f473ccdb1f3c31af',
      'dist/bin/uws_win32_x64_108.node':
        '19848592d2b11e1905f43132e28fecb14de4472f29a7a9306e64fd6c09e026f7',
      'dist/bin/uws_win32_x64_115.node':
        '58c8b8e47ae3dc6c382dbfc24656755106cbecce56add05ca2c32d5c39951ddd',
      'dist/bin/uws_win32_x64_120.node':
        '90a09f33c5c876094340a283fa1197b518251a5b8a1f59d9e963736ef0532eb6',
      'dist/bin/uws_win32_x64_127.node':
        '585d6ee2dbfc750b1d5a59e6ceaef8a977e90ef3e298a82821d58b41cd72a8c0',
    },
  },
]
