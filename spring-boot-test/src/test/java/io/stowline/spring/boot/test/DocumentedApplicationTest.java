package io.stowline.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The applications of the documents: each is compiled as it stands there, and run with the properties that stand there. */
@ExtendWith(OutputCaptureExtension.class)
class DocumentedApplicationTest {

    private static final int MAX_LINES = 30;

    @Test
    void storesQueuesAndCachesInUnderThirtyLines(@TempDir Path folder, CapturedOutput output) throws Exception {
        run("spring-boot.md", "marathon.MarathonApplication", folder, context -> {
            assertThat(output).contains("Runner[race=2026, bib=0001, name=Ann, age=41]");
            assertThat(context.getBean(Stowline.class).queue("orders").receive())
                    .hasValueSatisfying(message -> assertThat(message.body()).contains("shirt"));
        });
    }

    @Test
    void readsWritesAndFindsResourcesInUnderThirtyLines(@TempDir Path folder, CapturedOutput output) throws Exception {
        run("spring-resources.md", "gallery.GalleryApplication", folder, context -> {
            assertThat(output).contains("azure-blob://texts/2026/title.txt: Spring run");
            assertThat(context.getBean(Stowline.class)
                            .container("texts")
                            .info("2026/title.txt")
                            .headers()
                            .contentType())
                    .isEqualTo("text/plain");
        });
    }

    private static void run(
            String document, String application, Path folder, Consumer<ConfigurableApplicationContext> check)
            throws Exception {
        String name = application.substring(application.lastIndexOf('.') + 1);
        String program = program(document, name);
        assertThat(program.lines().filter(line -> !line.isBlank() && !line.startsWith("import ")))
                .hasSizeLessThan(MAX_LINES);
        Path source = Files.writeString(folder.resolve(name + ".java"), program);
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "-proc:none",
                        "-cp",
                        classPath(),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(result).as("result of the compiler").isZero();

        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            try (ConfigurableApplicationContext context = new SpringApplication(loader.loadClass(application))
                    .run(
                            "--stowline.connection-string=" + SharedEmulator.connectionString(),
                            "--stowline.create-missing=true")) {
                check.accept(context);
            }
        } finally {
            thread.setContextClassLoader(before);
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
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
