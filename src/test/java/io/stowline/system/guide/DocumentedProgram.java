package io.stowline.system.guide;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.Project;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A program of a document: its blocks <code>```java Name.java</code> are compiled as they stand there, and their methods are called. */
final class DocumentedProgram implements AutoCloseable {

    private final URLClassLoader classes;

    private DocumentedProgram(URLClassLoader classes) {
        this.classes = classes;
    }

    /** Compiles the classes of a document below {@code docs} into a folder. */
    static DocumentedProgram compile(String document, Path folder, String... names) throws IOException {
        String page = Files.readString(Project.root().resolve("docs").resolve(document));
        List<String> arguments =
                new ArrayList<>(List.of("-parameters", "-proc:none", "-cp", classPath(), "-d", folder.toString()));
        for (String name : names) {
            Matcher program = Pattern.compile("```java " + name + "\\.java\\n(.*?)```", Pattern.DOTALL)
                    .matcher(page);
            assertThat(program.find()).as("%s in docs/%s", name, document).isTrue();
            arguments.add(Files.writeString(folder.resolve(name + ".java"), program.group(1))
                    .toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .as("result of the compiler")
                .isZero();
        return new DocumentedProgram(new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, Thread.currentThread().getContextClassLoader()));
    }

    /** Makes an object by the only constructor of a class. */
    Object make(String type, Object... arguments) throws ReflectiveOperationException {
        Constructor<?> only = classes.loadClass(type).getDeclaredConstructors()[0];
        only.setAccessible(true);
        return only.newInstance(arguments);
    }

    /** Calls the only method of this name, of an object or, with null, of the class itself. */
    Object call(String type, Object target, String method, Object... arguments) throws Throwable {
        Method named = Stream.of(classes.loadClass(type).getDeclaredMethods())
                .filter(each -> each.getName().equals(method))
                .findFirst()
                .orElseThrow();
        named.setAccessible(true);
        try {
            return named.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Surefire hides the real class path behind a jar with a manifest. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    @Override
    public void close() throws IOException {
        classes.close();
    }
}
