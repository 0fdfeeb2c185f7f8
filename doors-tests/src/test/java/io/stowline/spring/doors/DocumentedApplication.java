package io.stowline.spring.doors;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.testkit.Azurite;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestContextManager;

/**
 * An application of a document: its block <code>```java Name.java</code> is compiled as it stands there, and run as its own process would, with the
 * account of an emulator. It has no web server unless {@link #web()} gives it one.
 */
final class DocumentedApplication {

    private static final int MAX_LINES = 30;

    private final String document;
    private final String application;
    private final List<String> properties = new ArrayList<>();

    private DocumentedApplication(String document, String application) {
        this.document = document;
        this.application = application;
        properties.add("--stowline.create-missing=true");
        properties.add("--spring.main.web-application-type=none");
    }

    /**
     * Returns the application of a document.
     *
     * @param document the file below {@code docs}
     * @param application the full name of the main class
     */
    static DocumentedApplication of(String document, String application) {
        return new DocumentedApplication(document, application);
    }

    /** Has the application start a web server, on a free port. */
    DocumentedApplication web() {
        properties.remove("--spring.main.web-application-type=none");
        properties.add("--server.port=0");
        return this;
    }

    /** Has the application start a web server of WebFlux, on a free port; beside Spring MVC it would start another one. */
    DocumentedApplication reactiveWeb() {
        properties.add("--spring.main.web-application-type=reactive");
        return web();
    }

    /** Adds a property that stands in the document, such as {@code stowline.outbox.relay=true}. */
    DocumentedApplication with(String property) {
        properties.add("--" + property);
        return this;
    }

    /** Compiles the application, runs it over the emulator, and closes it after the check. */
    void run(Azurite azurite, Path folder, Consumer<ConfigurableApplicationContext> check) throws Exception {
        String name = application.substring(application.lastIndexOf('.') + 1);
        String program = program(document, name);
        assertThat(program.lines().filter(line -> !line.isBlank() && !line.startsWith("import ")))
                .hasSizeLessThan(MAX_LINES);
        compile(folder, name);

        empty(azurite);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        List<String> arguments = new ArrayList<>(properties);
        arguments.add("--stowline.connection-string=" + azurite.connectionString());
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            try (ConfigurableApplicationContext context =
                    new SpringApplication(loader.loadClass(application)).run(arguments.toArray(String[]::new))) {
                check.accept(context);
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Compiles this test of an application of its document, and carries out a method of the test in its context. */
    void test(String tested, Path folder, String method) throws Exception {
        compile(folder, tested, application.substring(application.lastIndexOf('.') + 1));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            Class<?> type = loader.loadClass(application);
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object instance = constructor.newInstance();
            TestContextManager context = new TestContextManager(type);
            context.prepareTestInstance(instance);
            Method run = type.getDeclaredMethod(method);
            run.setAccessible(true);
            run.invoke(instance);
            context.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void compile(Path folder, String... names) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("-parameters", "-proc:none", "-cp", classPath(), "-d", folder.toString()));
        for (String name : names) {
            arguments.add(Files.writeString(folder.resolve(name + ".java"), program(document, name))
                    .toString());
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).as("result of the compiler").isZero();
    }

    /** Applications of several documents have tables and queues of the same names. */
    private static void empty(Azurite azurite) {
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            storage.listTables().forEach(table -> storage.table(table).drop());
            storage.listQueues().forEach(queue -> storage.queue(queue).drop());
            storage.listContainers()
                    .forEach(container -> storage.container(container).drop());
        }
    }

    private static String program(String document, String name) throws IOException {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("CHANGELOG.md"))) {
            folder = folder.getParent();
        }
        Matcher program = Pattern.compile("```java " + name + "\\.java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(folder.resolve("docs").resolve(document)));
        assertThat(program.find()).as("the program in docs/" + document).isTrue();
        return program.group(1);
    }

    /** Surefire hides the real class path behind a jar with a manifest. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
