# Sourced by ./run, ./test and .ci/run: installs the Debian packages that are missing, and builds.

build_packages=(build-essential cmake ninja-build ccache mold pkg-config
    libgdal-dev libtbb-dev nlohmann-json3-dev libfmt-dev libxxhash-dev libsqlite3-dev libzstd-dev
    ocl-icd-opencl-dev pocl-opencl-icd libegl-dev libgl-dev libegl1 libgl1-mesa-dri libgtest-dev
    qt6-base-dev libqt6opengl6-dev libglx-mesa0 fonts-dejavu-core)
# A screen that is none, for the tests of the editor.
test_packages=(xvfb xauth)
format_packages=(clang-format)

fail() {
    echo "caprock: $*" >&2
    exit 1
}

install_missing() {
    local missing=() package
    for package in "$@"; do
        # One query for all would be quicker, but names what is missing less clearly.
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    command -v apt-get >/dev/null || fail "these Debian packages are needed: ${missing[*]}"
    echo "caprock: installing ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "not root and no sudo; install by hand: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 update -q || fail "apt-get update failed"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q \
        --no-install-recommends "${missing[@]}" || fail "the packages could not be installed"
}

# build PRESET [TARGET...]
build() {
    local preset=$1 folder
    shift
    folder=build/$preset
    [ "$preset" = ci ] && folder=build/release
    if [ ! -f "$folder/build.ninja" ] || [ CMakePresets.json -nt "$folder/build.ninja" ] ||
        ! grep -q "^CAPROCK_PRESET:.*=$preset$" "$folder/CMakeCache.txt"; then
        echo "caprock: configuring ($preset)"
        cmake --preset "$preset" >"build-$preset.log" 2>&1 || {
            cat "build-$preset.log" >&2
            rm -f "build-$preset.log"
            fail "CMake could not configure the build"
        }
        rm -f "build-$preset.log"
    fi
    cmake --build "$folder" ${@:+--target "$@"} || fail "the build failed; its first error is above"
}
