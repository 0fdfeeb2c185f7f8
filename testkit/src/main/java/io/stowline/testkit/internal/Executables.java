package io.stowline.testkit.internal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A finder of programs in the folders of a search path.
 *
 * @param folders the folders, first match wins
 * @param windows whether programs carry a file ending
 */
public record Executables(List<Path> folders, boolean windows) {

    /**
     * Returns the programs that this process can see.
     *
     * @return a lookup over the PATH of this process
     */
    public static Executables ofThisProcess() {
        return of(System.getenv("PATH"), isWindows(System.getProperty("os.name")));
    }

    static Executables of(@Nullable String path, boolean windows) {
        if (path == null) {
            return new Executables(List.of(), windows);
        }
        List<Path> folders = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(path)
                .filter(entry -> !entry.isBlank())
                .flatMap(Executables::folder)
                .toList();
        return new Executables(folders, windows);
    }

    static boolean isWindows(String osName) {
        return osName.toLowerCase(Locale.ROOT).startsWith("windows");
    }

    private static Stream<Path> folder(String entry) {
        try {
            return Stream.of(Path.of(entry));
        } catch (InvalidPathException notAFolder) {
            return Stream.empty();
        }
    }

    /**
     * Finds a program by its bare name.
     *
     * @param name the name without a file ending
     * @return the first match on the search path
     */
    public Optional<Path> find(String name) {
        // On Windows npm also installs a shell script under the bare name, which cannot be started there.
        List<String> names = windows ? List.of(name + ".exe", name + ".cmd") : List.of(name);
        return folders.stream()
                .flatMap(folder -> names.stream().map(folder::resolve))
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable)
                .findFirst();
    }
}
