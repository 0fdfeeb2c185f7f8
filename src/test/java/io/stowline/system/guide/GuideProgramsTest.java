package io.stowline.system.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.stowline.Stowline;
import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Practice;
import io.stowline.blob.BlobContainer;
import io.stowline.error.AuthenticationException;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.Table;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.testkit.memory.MemoryStorage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("the programs of the guides do what their pages promise")
class GuideProgramsTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .retry(retry -> retry.backoff(Backoff.none()))
            .build();

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    @DisplayName("serve-a-blob.md: versions, ranges, heads, and errors as statuses")
    void servesBlobs(@TempDir Path folder) throws Throwable {
        BlobContainer files = storage.container("files");
        files.create();
        String etag = files.upload("Hello world.".getBytes(UTF_8), "hello.txt", with -> with.contentType("text/plain"))
                .etag();
        files.upload(new byte[0], "empty.txt");
        try (DocumentedProgram program = DocumentedProgram.compile("serve-a-blob.md", folder, "FileServer")) {
            HttpServer server = (HttpServer) program.call("FileServer", null, "start", files, 0);
            try {
                String base = "http://127.0.0.1:" + server.getAddress().getPort() + "/files/";
                HttpResponse<String> whole = send("GET", base + "hello.txt");
                assertThat(whole.statusCode()).isEqualTo(200);
                assertThat(whole.body()).isEqualTo("Hello world.");
                assertThat(header(whole, "ETag")).isEqualTo(etag);
                assertThat(header(whole, "Content-Type")).isEqualTo("text/plain");
                assertThat(send("GET", base + "hello.txt", "If-None-Match", "\"other\", " + etag)
                                .statusCode())
                        .isEqualTo(304);

                part(base, "bytes=0-4", "Hello", "bytes 0-4/12");
                part(base, "bytes=6-", "world.", "bytes 6-11/12");
                part(base, "bytes=-6", "world.", "bytes 6-11/12");
                part(base, "bytes=6-999", "world.", "bytes 6-11/12");
                HttpResponse<String> other =
                        send("GET", base + "hello.txt", "Range", "bytes=0-4", "If-Range", "\"other\"");
                assertThat(other.statusCode()).isEqualTo(200);
                HttpResponse<String> behind = send("GET", base + "hello.txt", "Range", "bytes=12-");
                assertThat(behind.statusCode()).isEqualTo(416);
                assertThat(header(behind, "Content-Range")).isEqualTo("bytes */12");

                HttpResponse<String> head = send("HEAD", base + "hello.txt");
                assertThat(header(head, "Content-Length")).isEqualTo("12");
                assertThat(send("GET", base + "empty.txt").body()).isEmpty();
                assertThat(send("GET", base + "missing.txt").statusCode()).isEqualTo(404);
                assertThat(send("GET", base).statusCode()).isEqualTo(400);
                assertThat(send("POST", base + "hello.txt").statusCode()).isEqualTo(405);
            } finally {
                server.stop(0);
            }
        }
    }

    private static void part(String base, String range, String content, String place) throws Exception {
        HttpResponse<String> part = send("GET", base + "hello.txt", "Range", range);
        assertThat(part.statusCode()).as(range).isEqualTo(206);
        assertThat(part.body()).as(range).isEqualTo(content);
        assertThat(header(part, "Content-Range")).as(range).isEqualTo(place);
    }

    private static HttpResponse<String> send(String method, String address, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address)).method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    @DisplayName(
            "import-with-indexes.md: each row once, also in a second run and behind a checkpoint; bad rows by their lines")
    void imports(@TempDir Path folder) throws Throwable {
        Path csv = folder.resolve("runners.csv");
        String rows = IntStream.range(0, 200)
                .mapToObj(i ->
                        "race%d,%04d,\"Berg, \"\"Ann\"\" %d\",%d,ann%d@example.org".formatted(i % 4, i, i, i % 90, i))
                .collect(Collectors.joining("\n"));
        Files.writeString(
                csv,
                "race,bib,name,age,mail\n" + rows + "\nrace0,,\"no bib\",41,a@example.org"
                        + "\nrace0,0999,Ann,old,a@example.org\nrace0,a/b,Ann,41,a@example.org\nrace0,0998,\"Ann,41\n");
        try (DocumentedProgram program = DocumentedProgram.compile("import-with-indexes.md", folder, "RunnerImport")) {
            assertThat(run(program, csv)).isEqualTo(new IndexReport(200, 200, 0, 0, 0));
            assertThat(Files.readAllLines(Path.of(csv + ".rejected")))
                    .extracting(line -> line.substring(0, line.indexOf(',')))
                    .containsExactly("202", "203", "204", "205");
            assertThat(storage.table("runners")
                            .find("race1", "0001")
                            .orElseThrow()
                            .value()
                            .get("name"))
                    .isEqualTo("Berg, \"Ann\" 1");

            int requests = memory.requests().size();
            assertThat(run(program, csv))
                    .as("the backfill writes the references again")
                    .isEqualTo(new IndexReport(200, 200, 0, 0, 0));
            assertThat(memory.requests().size() - requests).isLessThan(40);

            Files.writeString(Path.of(csv + ".state"), "101");
            assertThat(run(program, csv)).isEqualTo(new IndexReport(200, 200, 0, 0, 0));
        }
    }

    @Test
    @DisplayName(
            "import-with-indexes.md: a refusal that is no fault of the row ends before the checkpoint, and the next run goes on")
    void goesOn(@TempDir Path folder) throws Throwable {
        Path csv = Files.writeString(
                folder.resolve("runners.csv"), "race,bib,name,age,mail\nrace0,0001,Ann,41,ann@example.org\n");
        try (DocumentedProgram program = DocumentedProgram.compile("import-with-indexes.md", folder, "RunnerImport")) {
            storage.table("runners").create();
            memory.refuseNext("GET", "/runners", 403, "AuthorizationFailure");

            assertThatThrownBy(() -> run(program, csv)).isInstanceOf(AuthenticationException.class);
            assertThat(Path.of(csv + ".state")).doesNotExist();
            assertThat(run(program, csv)).isEqualTo(new IndexReport(1, 1, 0, 0, 0));
        }
    }

    private Object run(DocumentedProgram program, Path csv) throws Throwable {
        return program.call("RunnerImport", program.make("RunnerImport", storage, csv), "run");
    }

    @Test
    @DisplayName("two-accounts.md: the test of the page passes")
    void testsTwoAccounts(@TempDir Path folder) throws Throwable {
        try (DocumentedProgram program =
                DocumentedProgram.compile("two-accounts.md", folder, "Archive", "ArchiveTest")) {
            program.call("ArchiveTest", program.make("ArchiveTest"), "movesARaceAndLosesNothing");
        }
    }

    @Test
    @DisplayName("table-files.md: a table moves to another account, and the comparison names what is missing there")
    @SuppressWarnings("unchecked")
    void movesTables(@TempDir Path folder) throws Throwable {
        MemoryStorage other = MemoryStorage.create();
        try (DocumentedProgram program = DocumentedProgram.compile("table-files.md", folder, "TableMove");
                Stowline target = Stowline.builder()
                        .connectionString(other.connectionString())
                        .httpClient(other.httpClient())
                        .build()) {
            Table<Entity> notes = storage.table("notes");
            notes.create();
            IntStream.range(0, 300)
                    .forEach(i -> notes.insert(
                            Entity.builder("p" + i % 3, "r" + i).set("n", i).build()));

            assertThat((List<EntityDifference>) move(program, target, folder)).isEmpty();
            assertThat(target.table("notes").query().count()).isEqualTo(300);

            target.table("notes").delete("p1", "r1");
            assertThat((List<EntityDifference>) move(program, target, folder))
                    .as("the same call copies again")
                    .isEmpty();
        }
    }

    private Object move(DocumentedProgram program, Stowline target, Path folder) throws Throwable {
        return program.call("TableMove", null, "move", storage, target, "notes", folder.resolve("state"));
    }

    @Test
    @DisplayName("native-image.md: the first image stores a record and reads it back")
    void visits(@TempDir Path folder) throws Throwable {
        try (DocumentedProgram program = DocumentedProgram.compile("native-image.md", folder, "Visits")) {
            assertThat(program.call("Visits", null, "visit", storage))
                    .hasToString("Visit[page=home, time=2026-11-29T12:00, seconds=12]");
        }
    }

    @Test
    @DisplayName("slow-writes.md: single inserts into one partition break T12 and T21")
    void findsSlowWrites(@TempDir Path folder) throws Throwable {
        try (DocumentedProgram program = DocumentedProgram.compile("slow-writes.md", folder, "SlowWrites")) {
            Stowline.Builder client = Stowline.builder()
                    .connectionString(memory.connectionString())
                    .httpClient(memory.httpClient());
            Consumer<Stowline> hammer = hammered -> {
                Table<Entity> notes = hammered.table("notes");
                notes.create();
                IntStream.range(0, 3_500)
                        .forEach(i -> notes.insert(
                                Entity.builder("p", "r" + i).set("n", i).build()));
            };

            AdviceReport report = (AdviceReport) program.call("SlowWrites", null, "watch", client, hammer);

            assertThat(report.of(Practice.T12).isOpen()).as(report.json()).isTrue();
        }
    }
}
