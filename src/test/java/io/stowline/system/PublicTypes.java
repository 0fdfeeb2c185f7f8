package io.stowline.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The public top-level types of the library, by their sources. */
final class PublicTypes {

    private static final Pattern DECLARATION = Pattern.compile(
            "^public (abstract |final |sealed |non-sealed )*(class|interface|record|enum|@interface) ",
            Pattern.MULTILINE);
    private static final Path SOURCES = Path.of("src", "main", "java");

    private PublicTypes() {}

    /** The names of the types in the exported packages of these modules. */
    static List<String> of(String... modules) {
        return Stream.of(modules)
                .map(module -> Project.root().resolve(module).resolve(SOURCES))
                .flatMap(PublicTypes::in)
                .sorted()
                .toList();
    }

    /** The methods of an object that an application can call: those of its class, or of the interfaces that an internal class implements. */
    static List<Method> verbs(Object holder) {
        Class<?> type = holder.getClass();
        Stream<Class<?>> faces =
                type.getName().contains(".internal.") ? Arrays.stream(type.getInterfaces()) : Stream.of(type);
        return faces.flatMap(face -> Arrays.stream(face.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && !method.isSynthetic())
                .toList();
    }

    private static Stream<String> in(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("/internal/"))
                    .filter(PublicTypes::isPublic)
                    .map(file -> root.relativize(file)
                            .toString()
                            .replace(".java", "")
                            .replace('/', '.'))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isPublic(Path file) {
        try {
            return DECLARATION.matcher(Files.readString(file)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
