package io.stowline.projection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles sources while a test runs: its own modules, and records too large to write by hand. */
public final class SourceModules {

    private SourceModules() {}

    /** Compiles files given as path and text into a folder. */
    public static Path compile(Path folder, List<Path> modulePath, Map<String, String> sources) {
        try {
            Path classes = Files.createDirectories(folder.resolve("classes"));
            List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
            if (modulePath.isEmpty()) {
                arguments.addAll(
                        List.of("-classpath", location(EntityType.class).toString()));
            } else {
                String path = String.join(
                        java.io.File.pathSeparator,
                        modulePath.stream().map(Path::toString).toList());
                arguments.addAll(List.of("--module-path", path));
            }
            for (Map.Entry<String, String> source : sources.entrySet()) {
                Path file = folder.resolve("sources").resolve(source.getKey());
                Files.createDirectories(file.getParent());
                arguments.add(Files.writeString(file, source.getValue()).toString());
            }
            JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
            int result = compiler.run(null, null, null, arguments.toArray(String[]::new));
            if (result != 0) {
                throw new IllegalStateException("the sources of the test do not compile");
            }
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder or jar that a class was loaded from. */
    public static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
