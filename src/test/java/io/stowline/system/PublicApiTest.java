package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Compares the public API with the list that is checked in, so that each change of it shows in a diff. After a change that is meant,
 * {@code -Dapi.update=true} writes the list.
 */
class PublicApiTest {

    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");
    private static final String UPDATE = "api.update";

    /** The property with the jars that the types of a door need, and that are not on the class path of the tests. */
    private static final String LIBRARIES = "api.libraries";

    private static final String[] LIBRARY = {
        "retry",
        "batching",
        "projection",
        "caching",
        "journal",
        "client",
        "advisor",
        "ring",
        "records",
        "logback",
        "testkit",
        "spring-boot",
        "spring-boot-test"
    };

    @Test
    @DisplayName("docs/internals/api.txt lists every public type and member")
    void isListed() throws IOException {
        Path list = Project.root().resolve("docs/internals/api.txt");
        String api;
        try (URLClassLoader loader = loader()) {
            api = PublicTypes.of(LIBRARY).stream()
                    .map(name -> load(name, loader))
                    .flatMap(PublicApiTest::withNested)
                    .map(PublicApiTest::described)
                    .collect(Collectors.joining("\n"));
        }
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(list, api);
        }

        assertThat(Files.readString(list).lines())
                .as("the public API in " + list + "; if its change is meant, run this test with -D" + UPDATE + "=true")
                .containsExactlyElementsOf(api.lines().toList());
    }

    private static URLClassLoader loader() {
        String tests = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Stream.of(tests, System.getProperty(LIBRARIES, ""))
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(PublicApiTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new AssertionError(entry, e);
        }
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Arrays.stream(type.getDeclaredClasses())
                        .filter(nested -> isVisible(nested.getModifiers()))
                        .sorted((a, b) -> a.getName().compareTo(b.getName()))
                        .flatMap(PublicApiTest::withNested));
    }

    private static String described(Class<?> type) {
        List<String> members = Stream.of(
                        Arrays.stream(type.getDeclaredFields()),
                        Arrays.stream(type.getDeclaredConstructors()),
                        Arrays.stream(type.getDeclaredMethods()))
                .flatMap(all -> all)
                .map(Member.class::cast)
                .filter(member -> isVisible(member.getModifiers()) && !member.isSynthetic())
                .map(PublicApiTest::described)
                .sorted()
                .toList();
        // JDK 17 does not say whether a type is sealed.
        String header = type.toGenericString().replaceAll("(non-)?sealed ", "");
        return header + "\n"
                + members.stream().map(member -> "    " + member + "\n").collect(Collectors.joining());
    }

    private static String described(Member member) {
        String full = member instanceof Field field ? field.toGenericString() : ((Executable) member).toGenericString();
        return PACKAGE.matcher(full).replaceAll("");
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
