# package.py - Spack's recipe of Satin; not built by Satin's tests
#
# SPDX-License-Identifier: Apache-2.0
from spack.package import *


class Satin(MesonPackage):
    """Divide and conquer in C, on machines that come and go: spawn and sync on all cores of a
    machine, and on many nodes in many clusters, also when nodes are lost."""

    license("Apache-2.0")

    # The folder of the source, or the address of a release: give both in your repository.
    version("0.1.0")

    variant("apps", default=True, description="Build the command satin and the applications")
    variant("curl", default=True, description="Build storage-curl, registry-etcd and part-notice")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("glib@2.74:", type=("build", "link", "run"))
    depends_on("avro-c@1.11:")
    depends_on("libarchive@3.6:")
    depends_on("libssh2@1.10:")
    depends_on("openssl@3:")
    depends_on("curl@7.85:", when="+curl")
    depends_on("elfutils@0.180:", when="+apps")
    depends_on("json-glib@1.6:", when="+apps")
    depends_on("libmicrohttpd@0.9.71:", when="+apps")
    depends_on("libpng", when="+apps")

    conflicts("platform=darwin", msg="Satin needs Linux")
    conflicts("platform=windows", msg="Satin needs Linux")

    def meson_args(self):
        apps = "true" if self.spec.satisfies("+apps") else "false"
        return ["-Dtests=false", "-Dbench=false", "-Dapps=" + apps, "--libdir=lib"]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        if self.spec.satisfies("+apps"):
            Executable(self.prefix.bin.satin)("run", "-n", "2", "fib", "25")
