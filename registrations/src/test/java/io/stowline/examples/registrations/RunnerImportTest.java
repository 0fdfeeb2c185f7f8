package io.stowline.examples.registrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.examples.registrations.ImportReport.RowProblem;
import io.stowline.spring.boot.web.ProblemType;
import io.stowline.table.IndexedTable.IndexReport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

class RunnerImportTest extends ProxiedServiceTest {

    private static final int RUNNERS = Integer.getInteger("registrations.runners", 2_000);

    @LocalServerPort
    int port;

    @Autowired
    RunnerImports imports;

    @Test
    void manyRunnersComeInWithTheirIndexRows() throws Exception {
        ImportClient.Events events = new ImportClient(port).upload(TestRunners.rows(race, 1, RUNNERS));

        assertThat(events.report())
                .isEqualTo(new ImportReport(ImportState.COMPLETE, RUNNERS, RUNNERS, 0, 0, List.of()));
        assertThat(events.progress())
                .hasSize(RUNNERS / 1_000)
                .isSortedAccordingTo((one, other) -> Long.compare(one.written(), other.written()))
                .allSatisfy(progress ->
                        assertThat(progress.rows() - progress.written()).isBetween(0L, 1_000L));
        assertThat(runners.table().query().partition(race).count()).isEqualTo(RUNNERS);
        assertThat(runners.table().repair(race)).isEqualTo(new IndexReport(RUNNERS, 0, 0, 0, 0));
        assertThat(imports.find(events.started().day(), events.started().id()))
                .isEqualTo(events.started().with(events.report()));
    }

    @Test
    void rejectedRowsHaveLineAndReason() throws Exception {
        post(runner(1)).expectStatus().isCreated();
        Iterator<String> rows = List.of(
                        TestRunners.row(runner(1)),
                        TestRunners.row(runner(2)),
                        race + ",runner3@example.com,three,Ann,30,NO\r\n",
                        race + ",runner4@example.com,4,Ann\r\n",
                        TestRunners.row(new Runner(race, "runner5@example.com", 5, "Ann", 11, "NO")),
                        TestRunners.row(runner(CAPACITY + 1)),
                        TestRunners.row(TestRunners.runner("race-of-mice", 7)))
                .iterator();

        ImportReport report = new ImportClient(port).upload(rows).report();

        assertThat(report.state()).isEqualTo(ImportState.COMPLETE);
        assertThat(List.of(report.rows(), report.written(), report.rejected(), report.unknown()))
                .containsExactly(7L, 1L, 6L, 0L);
        assertThat(report.problems())
                .containsExactlyInAnyOrder(
                        new RowProblem(2, ProblemType.CONFLICT, ProblemType.CONFLICT.detail()),
                        invalid(4, "bib must be a whole number, not 'three'"),
                        invalid(5, "4 values where the header has 6"),
                        invalid(6, "age must be greater than or equal to 16, not 11"),
                        invalid(7, "bib must be at most 20000 in this race, not 20001"),
                        invalid(8, "there is no race race-of-mice"));
        assertThat(runners.table().query().partition(race).list()).containsExactly(runner(1), runner(2));
    }

    @Test
    void whatIsNoCsvEndsTheImport() throws Exception {
        String open = race + ",\"runner2@example.com";

        ImportReport report = new ImportClient(port)
                .upload(List.of(TestRunners.row(runner(1)), open).iterator())
                .report();

        assertThat(report.state()).isEqualTo(ImportState.MALFORMED);
        assertThat(report.written()).isEqualTo(1);
        assertThat(report.problems()).singleElement().returns(3L, RowProblem::line);
    }

    @Test
    void anOpenQuotationMarkTakesNoMemory() throws Exception {
        String line = "x".repeat(1_000);
        Iterator<String> endless =
                Stream.iterate(race + ",\"", text -> line).limit(1_000).iterator();

        ImportReport report = new ImportClient(port).upload(endless).report();

        assertThat(report.state()).isEqualTo(ImportState.MALFORMED);
        assertThat(report.problems())
                .singleElement()
                .returns("a row has at most 65,536 characters", RowProblem::reason);
    }

    @Test
    void aLongValueIsCutInTheReport() throws Exception {
        Iterator<String> rows = List.of(
                        race + ",runner1@example.com," + "9".repeat(5_000) + ",Ann,30,NO\r\n",
                        race + ",runner1@example.com,1," + "A".repeat(5_000) + ",30,NO\r\n")
                .iterator();

        ImportReport report = new ImportClient(port).upload(rows).report();

        assertThat(report.problems())
                .containsExactly(
                        invalid(2, "bib must be a whole number, not '" + "9".repeat(200) + "..'"),
                        invalid(3, "name size must be between 0 and 100, not " + "A".repeat(200) + ".."));
    }

    @Test
    void textHasTheCharsetOfItsContentType() throws Exception {
        String text = TestRunners.HEADER + race + ",runner1@example.com,1,Zoë,30,NO\r\n";

        assertThat(sent("text/csv;charset=ISO-8859-1", text.getBytes(StandardCharsets.ISO_8859_1)))
                .contains("\"written\":1");

        assertThat(runners.get(race, 1).value().name()).isEqualTo("Zoë");
    }

    @Test
    void bytesOfAnotherCharsetAreAnErrorOfTheirRow() throws Exception {
        String text = TestRunners.HEADER
                + TestRunners.row(runner(1))
                + race + ",runner2@example.com,2,Zoë,30,NO\r\n"
                + TestRunners.row(runner(3));

        assertThat(sent("text/csv", text.getBytes(StandardCharsets.ISO_8859_1)))
                .contains("\"written\":2", "\"line\":3", "it has bytes that are no text in UTF-8");

        assertThat(runners.table().query().partition(race).list()).containsExactly(runner(1), runner(3));
    }

    @Test
    void aByteOrderMarkMayPrecedeTheHeader() throws Exception {
        String text = "\uFEFF" + TestRunners.HEADER + TestRunners.row(runner(1));

        assertThat(sent("text/csv", text.getBytes(StandardCharsets.UTF_8))).contains("\"written\":1");
    }

    private String sent(String type, byte[] body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/registrations/import"))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void columnsAreCheckedBeforeTheStreamBegins() throws Exception {
        HttpResponse<Stream<String>> answer =
                new ImportClient(port).send(List.of("race,name\r\n").iterator());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body())
                .singleElement()
                .asString()
                .contains("header must be race,email,bib,name,age,country, not race,name");
    }

    @Test
    void aClientThatDisconnectsEndsItsImport() throws Exception {
        StringBuilder body = new StringBuilder(TestRunners.HEADER);
        TestRunners.rows(race, 1, 700).forEachRemaining(body::append);
        String head = String.join(
                "\r\n",
                "POST /registrations/import HTTP/1.1",
                "Host: localhost",
                "Content-Type: text/csv",
                "Content-Length: 1000000",
                "",
                "");
        ImportSummary started;
        try (Socket socket = new Socket("localhost", port)) {
            OutputStream out = socket.getOutputStream();
            out.write((head + body).getBytes(StandardCharsets.UTF_8));
            out.flush();
            started = startedEvent(socket);
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> imports.find(started.day(), started.id()).state() != ImportState.RUNNING);

        ImportSummary end = imports.find(started.day(), started.id());
        assertThat(end.state()).isEqualTo(ImportState.DISCONNECTED);
        assertThat(end.written()).isEqualTo(end.rows());
        assertThat(runners.table().query().partition(race).count()).isEqualTo(end.written());
    }

    private static ImportSummary startedEvent(Socket socket) throws IOException {
        StringBuilder seen = new StringBuilder();
        byte[] buffer = new byte[1_024];
        while (!seen.toString().contains("}")) {
            int read = socket.getInputStream().read(buffer);
            assertThat(read).as(seen.toString()).isPositive();
            seen.append(new String(buffer, 0, read, StandardCharsets.UTF_8));
        }
        String json = seen.substring(seen.indexOf("{"), seen.indexOf("}") + 1);
        return tools.jackson.databind.json.JsonMapper.shared().readValue(json, ImportSummary.class);
    }

    private static RowProblem invalid(long line, String reason) {
        return new RowProblem(line, ProblemType.INVALID_INPUT, reason);
    }
}
