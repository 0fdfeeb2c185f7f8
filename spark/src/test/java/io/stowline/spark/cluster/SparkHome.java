package io.stowline.spark.cluster;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * An installation of Spark with its libraries in its own versions, and beside it the jars that an application gets by {@code --packages
 * io.stowline:stowline-spark}. Both are made by the build: {@code mvn -P spark -pl spark -am generate-test-resources}.
 *
 * @param folder the installation; logs of executors are in its folder {@code work}
 * @param submit the command that starts an application
 * @param packages the jars of Stowline and of the libraries that it needs
 * @param program the jar of the tests' programs
 */
record SparkHome(Path folder, Path submit, List<Path> packages, Path program) {

    /**
     * Makes an installation in the build's folder, where its logs stay.
     *
     * @param name the name of its folder
     */
    static SparkHome make(String name) throws IOException {
        Path module = module();
        Path parent = module.resolve("target/clusters").resolve(name);
        delete(parent);
        Path jars = module.resolve("home/target/jars");
        Path list = module.resolve("target/packages.txt");
        if (!Files.isDirectory(jars) || !Files.exists(list)) {
            throw new IllegalStateException(
                    jars + " or " + list + " is missing: run mvn -P spark -pl spark -am generate-test-resources");
        }
        Path folder = Files.createDirectories(parent.resolve("spark"));
        Files.createSymbolicLink(folder.resolve("jars"), jars);
        List<Path> packages = new ArrayList<>();
        packages.add(jar(parent, "spark", compiled("spark")));
        for (String entry : Files.readString(list).strip().split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (path.toString().startsWith(module.getParent().toString())) {
                String sibling = module.getParent().relativize(path).getName(0).toString();
                packages.add(Files.isRegularFile(path) ? path : jar(parent, sibling, compiled(sibling)));
            } else {
                packages.add(path);
            }
        }
        return new SparkHome(
                folder, module.resolve("home/bin/spark-submit"), packages, jar(parent, "programs", classes()));
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static Path classes() {
        try {
            return Path.of(SparkHome.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the classes of the tests are in no folder", e);
        }
    }

    private static Path module() {
        Path path = classes();
        while (!path.endsWith("target")) {
            path = path.getParent();
        }
        return path.getParent();
    }

    /** Returns the classes of a module that this test has on its class path. */
    private static Path compiled(String module) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> path.startsWith(module().resolveSibling(module).resolve("target")))
                .filter(path -> path.endsWith("classes"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the class path has no classes of the module " + module));
    }

    private static Path jar(Path parent, String name, Path classes) {
        Path jar = parent.resolve("stowline-" + name + ".jar");
        int status = ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "--create",
                        "--no-compress",
                        "--file",
                        jar.toString(),
                        "-C",
                        classes.toString(),
                        ".");
        if (status != 0) {
            throw new IllegalStateException("no jar of " + classes);
        }
        return jar;
    }
}
