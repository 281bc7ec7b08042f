// Made by npm run generate -- binaries.
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
    version: '20.57.0',
    integrity:
      'sha512-SuPpEjSKZ7P58L/27BXXsrGsMwLmPupfYny8oJsOmFZ4+zX7Ca97nBPtZ3ngKbfeDZzTyi7rXri74INGerhugg==',
    binaries: {
      'uws_darwin_arm64_115.node':
        'e92644395ac8d37cb078098f843fb1b82e59701832f38fed00a9bdcfb87ba939',
      'uws_darwin_arm64_127.node':
        '6180345d453e2e113feb2b0d76376493cd6a90056c3483fc22de7b0c340dc231',
      'uws_darwin_arm64_137.node':
        '2187391c702fa7ad3bf685eff7712c15cf24fa7cf324a131dfcbae3fd0f20a9a',
      'uws_darwin_arm64_141.node':
        '8555586f69116620ac17540b2a7a2459c5db1cebee5c36fd77157dd352fabf82',
      'uws_darwin_x64_115.node': 'f661b97951ffdf54324e514becda0a2740f723c9fd3c7098e812a0e7714651ed',
      'uws_darwin_x64_127.node': 'fd551673f3ce1f104d7cec3ba8f628d9d04853eff1045c9d95983372ed90bca0',
      'uws_darwin_x64_137.node': '98fd7e9456e2d37d3262b05b053d673830927f91c63c0c2ae73bde8d19eef293',
      'uws_darwin_x64_141.node': 'e64e8a42347b5f9861b0f2bfa0981d8e48914e9b26ec73e133ba454d9a580777',
      'uws_linux_arm64_115.node':
        '6bdbc8ff976b4371af1906175e9025804bacc38a414969f4f02314e6b99f206c',
      'uws_linux_arm64_127.node':
        '82b79bd18d1e3563de336156005bd01b7f39fc387b65173d69a29da4ee79f895',
      'uws_linux_arm64_137.node':
        '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce',
      'uws_linux_arm64_141.node':
        '81d0186dd1549ed6a7f47e68e323573fc27d69d2920527654ce2dd993af2b0ec',
      'uws_linux_x64_115.node': '5b126ee00bf754b02e97e4c27090365a8562c5820c93f93918ac2212d4503e91',
      'uws_linux_x64_127.node': '4b55b1f2cb7a7913febbb65a89496412b96af77e838552980092ba6b33723aac',
      'uws_linux_x64_137.node': '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05',
      'uws_linux_x64_141.node': '813d788b347c6fd76b779d8932311ec05a044e612b4b83af220f16e6ea789683',
      'uws_win32_x64_115.node': '1ffbe9b09607fd9c90e98661383de2bd844b06d4f25ab502f3361d8d8fac559f',
      'uws_win32_x64_127.node': 'b4fa85dd015d6d32655f75e9d5b2480124b7649d9265a2b84d8dafe37f88f838',
      'uws_win32_x64_137.node': '84ae72d2149e6ffa2a44063344073599027b1ce8bffaab3957903f966b0c6bb9',
      'uws_win32_x64_141.node': '59346e454b89d2d0ed1609b7581683bb9fde7edaf3b3f04fe4f6fe03e34c8afd',
    },
  },
]
