package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("every snippet in the documents and in the Javadoc of the entries compiles")
class SnippetsTest {

    private static final Pattern FENCED = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

    /** A complete program, behind the name of its file. */
    private static final Pattern PROGRAM = Pattern.compile("```java (\\w+)\\.java\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern MEND = Pattern.compile("^(\\w+)\\.code=(.+)$", Pattern.MULTILINE);

    private static final Pattern JAVADOC =
            Pattern.compile("<pre>\\{@code\\n(.*?)\\n\\s*\\*\\s*}</pre>", Pattern.DOTALL);

    /** Imports that a snippet may use without naming them. */
    private static final String FRAME = """
        import io.stowline.*;
        import io.stowline.access.*;
        import io.stowline.advisor.*;
        import io.stowline.ring.*;
        import ch.qos.logback.classic.LoggerContext;
        import ch.qos.logback.classic.encoder.JsonEncoder;
        import com.azure.core.credential.*;
        import com.azure.core.util.serializer.*;
        import com.azure.core.http.HttpClient;
        import com.azure.core.http.ProxyOptions;
        import com.azure.data.tables.*;
        import com.azure.storage.blob.*;
        import com.azure.storage.blob.models.AccessTier;
        import com.azure.storage.queue.*;
        import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
        import io.micrometer.core.instrument.MeterRegistry;
        import io.micrometer.observation.ObservationPredicate;
        import io.micrometer.observation.ObservationRegistry;
        import com.azure.storage.queue.QueueMessageEncoding;
        import io.stowline.blob.*;
        import io.stowline.blob.DownloadSettings.FileDownload;
        import io.stowline.caching.*;
        import io.stowline.error.*;
        import io.stowline.journal.*;
        import io.stowline.logback.*;
        import io.stowline.observe.*;
        import io.stowline.outcome.*;
        import io.stowline.projection.*;
        import io.stowline.projection.Nested;
        import io.stowline.projection.filter.*;
        import io.stowline.projection.key.*;
        import io.stowline.queue.*;
        import io.stowline.records.*;
        import io.stowline.retry.*;
        import io.stowline.service.*;
        import io.stowline.spring.boot.autoconfigure.*;
        import io.stowline.spring.boot.batch.*;
        import io.stowline.spring.boot.integration.*;
        import io.stowline.spring.boot.cache.*;
        import io.stowline.spring.boot.listener.*;
        import io.stowline.spring.boot.lock.*;
        import io.stowline.spring.boot.records.*;
        import io.stowline.spring.boot.repository.*;
        import io.stowline.spring.boot.resilience4j.OuterRetries;
        import io.stowline.spring.boot.resource.*;
        import io.stowline.spring.boot.test.*;
        import io.stowline.spring.boot.web.*;
        import io.stowline.table.*;
        import io.stowline.table.transfer.*;
        import io.stowline.testkit.*;
        import io.stowline.testkit.memory.*;
        import io.stowline.testkit.stress.*;
        import io.stowline.transport.*;
        import com.sun.net.httpserver.Headers;
        import com.sun.net.httpserver.HttpExchange;
        import java.io.*;
        import java.math.*;
        import java.net.URI;
        import java.nio.ByteBuffer;
        import java.nio.channels.SeekableByteChannel;
        import java.nio.file.*;
        import java.time.*;
        import java.util.*;
        import java.util.concurrent.*;
        import java.util.stream.*;
        import org.junit.jupiter.api.*;
        import org.junit.jupiter.api.extension.*;
        import org.springframework.batch.core.configuration.annotation.StepScope;
        import org.springframework.batch.core.job.*;
        import org.springframework.batch.core.job.parameters.JobParameters;
        import org.springframework.batch.core.launch.JobOperator;
        import org.springframework.batch.core.repository.JobRepository;
        import org.springframework.batch.core.step.Step;
        import org.springframework.batch.core.step.builder.StepBuilder;
        import org.springframework.batch.infrastructure.item.ExecutionContext;
        import org.springframework.beans.factory.annotation.*;
        import org.springframework.boot.SpringApplication;
        import org.springframework.boot.autoconfigure.SpringBootApplication;
        import org.springframework.boot.test.context.SpringBootTest;
        import org.springframework.cache.CacheManager;
        import org.springframework.cache.annotation.Cacheable;
        import org.springframework.context.ApplicationEventPublisher;
        import org.springframework.context.annotation.Bean;
        import org.springframework.context.annotation.Configuration;
        import org.springframework.context.annotation.Import;
        import org.springframework.context.event.EventListener;
        import org.springframework.core.ParameterizedTypeReference;
        import org.springframework.core.io.Resource;
        import org.springframework.core.io.WritableResource;
        import org.springframework.core.task.SimpleAsyncTaskExecutor;
        import org.springframework.core.retry.RetryPolicy;
        import org.springframework.core.retry.RetryTemplate;
        import org.springframework.http.HttpHeaders;
        import org.springframework.http.RequestEntity;
        import org.springframework.http.ResponseEntity;
        import org.springframework.integration.IntegrationMessageHeaderAccessor;
        import org.springframework.integration.acks.AcknowledgmentCallback;
        import org.springframework.integration.acks.AcknowledgmentCallback.Status;
        import org.springframework.integration.dsl.IntegrationFlow;
        import org.springframework.integration.metadata.ConcurrentMetadataStore;
        import org.springframework.integration.support.locks.LockRegistry;
        import org.springframework.messaging.handler.annotation.*;
        import org.springframework.resilience.annotation.Retryable;
        import org.springframework.stereotype.*;
        import org.springframework.web.ErrorResponse;
        import org.springframework.web.bind.annotation.ExceptionHandler;
        import org.springframework.web.bind.annotation.GetMapping;
        import org.springframework.web.bind.annotation.PathVariable;
        import org.springframework.web.bind.annotation.PostMapping;
        import org.springframework.web.bind.annotation.PutMapping;
        import org.springframework.web.bind.annotation.RequestBody;
        import org.springframework.web.bind.annotation.RequestHeader;
        import org.springframework.web.bind.annotation.RequestMapping;
        import org.springframework.web.bind.annotation.RequestParam;
        import org.springframework.web.bind.annotation.RestController;
        import org.springframework.web.bind.annotation.RestControllerAdvice;
        import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
        import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
        import reactor.core.publisher.*;
        import static io.stowline.blob.BlobTagFilter.tag;
        import static io.stowline.blob.DirectorySettings.Overwrite.*;
        import static io.stowline.projection.filter.Filter.property;
        import static io.stowline.testkit.RequestMatch.requests;
        import static io.stowline.testkit.StorageService.*;
        import static java.nio.charset.StandardCharsets.UTF_8;
        import static org.assertj.core.api.Assertions.assertThat;

        @SuppressWarnings("all")
        class Snippet {
            record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}
            record BibOnly(@RowKey String bib) {}
            record Setting(@PartitionKey String area, @RowKey String name, String value) {}
            record Order(String id, int amount) {}
            record Shot(String camera, int iso, Instant taken) {}
            static final org.slf4j.Logger log = org.slf4j.LoggerFactory.getLogger(Snippet.class);
            String connectionString, otherConnectionString;
            Stowline storage;
            StowlineRing ring;
            TestStorage account;
            FaultProxy proxy;
            Table<Runner> runners;
            Table<StaffRow> staff;
            Table<Department> departments;
            Table<Employee> employees;
            Department department;
            Employee employee;
            TableWriter<Runner> writer;
            TableTransfers tables;
            Runner runner, a, b, c, changed;
            Collection<Runner> source;
            MessageQueue<Order> orders;
            HttpExchange exchange;
            String name;
            Order order;
            BlobContainer photos, archive, second, third;
            Path path;
            Path dir;
            interface Export { void writeTo(OutputStream out) throws IOException; }
            interface Bar { void show(long done, OptionalLong total, Optional<Duration> timeLeft); }
            Export csv;
            Bar bar;
            byte[] bytes;
            InputStream stream;
            TokenCredential tokenCredential;
            ObservationRegistry observations;
            MeterRegistry meters;
            ResponseCache cache;
            void ship(Order order) {}
            void run(String connectionString) {}
            Filter filter;
            class Quickstart {}
            static class MarathonApplication {
                static void main(String[] args) {}
            }
            static void connect(String connectionString) {}
            // the snippet
        }

        sealed interface StaffRow permits Department, Employee {}

        record Department(@PartitionKey String name, @RowKey String key, String head, int employees)
                implements StaffRow {}

        record Employee(@PartitionKey String department, @RowKey String key, String name, int age)
                implements StaffRow {}
        """;

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Shared by all snippets, so that the class path is opened once. */
    private static final StandardJavaFileManager CLASSES =
            COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

    /** The errors of the snippets that do not compile, by path. */
    private static final Map<String, String> MESSAGES = new HashMap<>();

    static {
        try {
            openTheClassPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void openTheClassPath() throws IOException {
        CLASSES.setLocation(
                StandardLocation.CLASS_PATH,
                Arrays.stream(classPath().split(File.pathSeparator))
                        .map(File::new)
                        .toList());
    }

    @AfterAll
    static void closeTheClassPath() throws IOException {
        CLASSES.close();
    }

    /** A part of a document, which is compiled in its own package together with all others. */
    record Snippet(String where, String path, String code) {
        @Override
        public String toString() {
            return where;
        }
    }

    static List<Snippet> snippets() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        Path root = Project.root();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(SnippetsTest::mayHoldSnippets).toList()) {
                boolean java = file.toString().endsWith(".java");
                Matcher matcher = (java ? JAVADOC : FENCED).matcher(Files.readString(file));
                for (int n = 1; matcher.find(); n++) {
                    String code = java ? matcher.group(1).replaceAll("(?m)^\\s*\\* ?", "") : matcher.group(1);
                    snippets.add(new Snippet(root.relativize(file) + " #" + n, "s" + snippets.size(), code));
                }
            }
        }
        snippets.addAll(mends(root, snippets.size()));
        return snippets;
    }

    /** The lines of code by which the advisor mends a practice. */
    private static List<Snippet> mends(Path root, int first) throws IOException {
        Path texts = root.resolve("advisor/src/main/resources/io/stowline/advisor/internal/rule/practices.properties");
        List<Snippet> mends = new ArrayList<>();
        Matcher line = MEND.matcher(Files.readString(texts));
        while (line.find()) {
            mends.add(new Snippet("mend of " + line.group(1), "s" + (first + mends.size()), line.group(2) + ";"));
        }
        assertThat(mends).isNotEmpty();
        return mends;
    }

    /** The module for Apache Spark is left out: these tests do not have Spark on their class path. */
    /** The module for Apache Spark compiles its snippets itself: Spark is not on this class path. */
    private static boolean mayHoldSnippets(Path file) {
        String path = file.toString();
        return !path.contains("/target/")
                && !path.contains("/spark/src/")
                && !path.contains("/spark/src/main/")
                && !path.contains("/node_modules/")
                && (path.endsWith(".md") || (path.endsWith(".java") && path.contains("src/main/java")));
    }

    /** Programs for the doors of Spring are compiled and run with all their libraries by the module {@code doors-tests}. */
    private static String programsOfDoors(Path root) throws IOException {
        StringBuilder tests = new StringBuilder();
        try (Stream<Path> files = Files.walk(root.resolve("doors-tests/src/test/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                tests.append(Files.readString(file));
            }
        }
        return tests.toString();
    }

    private static String packageOf(String code) {
        return code.startsWith("package ") ? code.substring(8, code.indexOf(';')) + "." : "";
    }

    static List<Arguments> programs() throws IOException {
        List<Arguments> programs = new ArrayList<>();
        Path root = Project.root();
        String doors = programsOfDoors(root);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(SnippetsTest::mayHoldSnippets).toList()) {
                PROGRAM.matcher(Files.readString(file))
                        .results()
                        .filter(program -> !doors.contains("\"" + file.getFileName() + "\", \""
                                + packageOf(program.group(2)) + program.group(1) + "\""))
                        .map(program -> Arguments.of(root.relativize(file), program.group(1), program.group(2)))
                        .forEach(programs::add);
            }
        }
        return programs;
    }

    @ParameterizedTest
    @MethodSource("programs")
    @DisplayName("a complete program compiles as it stands, with those that stand before it on its page")
    void compilesAlone(Path where, String name, String code, @TempDir Path out) throws IOException {
        List<JavaFileObject> sources = PROGRAM.matcher(
                        Files.readString(Project.root().resolve(where)))
                .results()
                .takeWhile(program -> !program.group(1).equals(name))
                .filter(program -> packageOf(program.group(2)).equals(packageOf(code)))
                .map(program -> source(program.group(1), program.group(2)))
                .collect(Collectors.toCollection(ArrayList::new));
        sources.add(source(name, code));
        compile(where + " " + name, sources, out);
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void compiles(Snippet snippet) {
        assertThat(MESSAGES.get(snippet.path())).as(snippet.where()).isNull();
    }

    private static String text(Snippet snippet) {
        boolean declares =
                Pattern.compile("^(@\\w+.*\\n)*(public |final )*(class|record|interface|enum|void) ", Pattern.MULTILINE)
                                .matcher(snippet.code())
                                .find()
                        && !snippet.code().contains("storage.table(");
        String member = declares ? snippet.code() : "void snippet() throws Exception {\n" + snippet.code() + "\n}";
        return "package " + snippet.path() + ";\n" + FRAME.replace("// the snippet", member);
    }

    /** All at once, which takes a fifth of the time that one after the other takes: an error in one hides none in another. */
    @BeforeAll
    static void compileTheSnippets(@TempDir Path out) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        List<JavaFileObject> sources = snippets().stream()
                .map(snippet -> source(snippet.path() + "/Snippet", text(snippet)))
                .toList();
        boolean compiled = COMPILER.getTask(
                        null,
                        CLASSES,
                        found,
                        // No snippet runs, so none needs a class file.
                        List.of(
                                "-d",
                                out.toString(),
                                "-proc:none",
                                "--should-stop=ifError=FLOW",
                                "--should-stop=ifNoError=FLOW",
                                "-Xmaxerrs",
                                "1000"),
                        null,
                        sources)
                .call();
        for (Diagnostic<? extends JavaFileObject> each : found.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                String path =
                        each.getSource() == null ? "" : each.getSource().toUri().getPath();
                MESSAGES.merge(path.replaceAll("/(s\\d+)/.*", "$1"), each.toString(), (a, b) -> a + "\n" + b);
            }
        }

        assertThat(compiled).as("no error without a source: " + MESSAGES).isEqualTo(MESSAGES.isEmpty());
        assertThat(MESSAGES).doesNotContainKey("");
    }

    private static void compile(String where, List<JavaFileObject> sources, Path out) {
        StringWriter messages = new StringWriter();
        boolean compiled = COMPILER.getTask(
                        messages, CLASSES, null, List.of("-d", out.toString(), "-proc:none"), null, sources)
                .call();

        assertThat(compiled).as(where + "\n" + messages).isTrue();
    }

    /** Surefire hides the real class path behind a jar with a manifest. Logback is on none, beside another provider of SLF4J. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                + File.pathSeparator
                + System.getProperty("api.libraries", "");
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text.lines().collect(Collectors.joining("\n"));
            }
        };
    }
}
