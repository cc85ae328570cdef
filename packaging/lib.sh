# What run.sh and test.sh share: Debian packages, configuring, building. Sourced, not run.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release

build_packages=(cmake ninja-build g++ pkg-config libopencv-core-dev libopencv-imgproc-dev libopencv-imgcodecs-dev
  libjpeg62-turbo-dev libtiff-dev libstb-dev libpcre2-dev libicu-dev nlohmann-json3-dev libcli11-dev)
# The desktop program's, to build and to run.
desktop_packages=(qt6-base-dev qt6-declarative-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl-dev
  libqt6sql6-sqlite qml6-module-qtquick qml6-module-qtquick-controls qml6-module-qtquick-dialogs
  qml6-module-qtquick-layouts qml6-module-qtquick-templates qml6-module-qtquick-window qml6-module-qtqml
  qml6-module-qtqml-models qml6-module-qtqml-workerscript qml6-module-qt-labs-folderlistmodel qt6-translations-l10n fonts-noto-core)
test_packages=(qt6-base-dev libsentencepiece-dev xz-utils dbus-daemon)

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "needs root, or sudo, to run: $*" >&2
    exit 1
  fi
}

# install_packages NAME...: those that are missing, with apt. Asks the package database first, so that nothing is
# fetched or locked where all are there.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: please see to these packages yourself: $*" >&2
    return
  fi
  local missing=() name
  for name in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing ${missing[*]}" >&2
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure ON|OFF: with or without the tests. A build folder that has tests keeps them: changing back and forth would
# build everything twice.
configure() {
  local tests=$1
  if [ -e "$build/build.ninja" ]; then
    if [ "$tests" = OFF ] || grep -q '^POPLENS_BUILD_TESTS:BOOL=ON$' "$build/CMakeCache.txt"; then return; fi
  fi
  (cd "$root" && cmake --preset release -DPOPLENS_BUILD_TESTS="$tests" >&2)
}

# The desktop program's packages may have come after the build folder.
switch_desktop_on() {
  if grep -q '^POPLENS_BUILD_DESKTOP:BOOL=OFF$' "$build/CMakeCache.txt"; then
    cmake -DPOPLENS_BUILD_DESKTOP=ON "$build" >&2
  fi
}

# build_targets [TARGET...]: all where none is named.
build_targets() {
  local target arguments=()
  for target in "$@"; do arguments+=(--target "$target"); done
  cmake --build "$build" "${arguments[@]}" >&2
}
