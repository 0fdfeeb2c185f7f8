package io.stowline.spark.scale;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The stub server of the benchmarks in its own process: a table service that responds after a delay, and counts its requests. */
final class TableStub implements AutoCloseable {

    private static final String MAIN = "io.stowline.benchmarks.side.stub.StubServer";

    private final Process process;
    private final String endpoint;

    private TableStub(Process process, String endpoint) {
        this.process = process;
        this.endpoint = endpoint;
    }

    static TableStub start(int delayMillis) throws IOException {
        Path benchmarks = Stream.of("../benchmarks/target/classes", "../benchmarks/target/ft/classes")
                .map(Path::of)
                .filter(folder -> Files.exists(folder.resolve(MAIN.replace('.', '/') + ".class")))
                .findFirst()
                .orElseThrow(() -> new TestAbortedException(
                        "the benchmarks are not compiled: mvn -P quick,benchmarks -pl benchmarks -am test-compile"));
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        benchmarks + File.pathSeparator + System.getProperty("java.class.path"),
                        MAIN,
                        Integer.toString(delayMillis)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String port = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
        return new TableStub(process, "http://127.0.0.1:" + port + "/acct");
    }

    String connectionString() {
        return "AccountName=acct;AccountKey=" + Base64.getEncoder().encodeToString(new byte[64]) + ";TableEndpoint="
                + endpoint;
    }

    long requests() throws IOException, InterruptedException {
        URI count = URI.create(endpoint + "/cities?comp=requests");
        return Long.parseLong(HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(count).build(), BodyHandlers.ofString())
                .body());
    }

    @Override
    public void close() {
        process.destroy();
    }
}
