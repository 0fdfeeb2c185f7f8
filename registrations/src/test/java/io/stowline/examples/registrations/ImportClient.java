package io.stowline.examples.registrations;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Uploads CSV that is made while it is sent, and reads the events. */
final class ImportClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;

    ImportClient(int port) {
        this.address = URI.create("http://localhost:" + port + "/registrations/import");
    }

    /**
     * The events of an import.
     *
     * @param started the first one
     * @param progress those on the way
     * @param report the last one
     */
    record Events(ImportSummary started, List<ImportSummary> progress, ImportReport report) {}

    HttpResponse<Stream<String>> send(Iterator<String> lines) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "text/csv")
                .POST(HttpRequest.BodyPublishers.ofByteArrays(() -> bytes(lines)))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofLines());
    }

    Events upload(Iterator<String> rows) throws IOException, InterruptedException {
        HttpResponse<Stream<String>> answer =
                send(concat(List.of(TestRunners.HEADER).iterator(), rows));
        if (answer.statusCode() != 200) {
            throw new IOException(answer + ": " + answer.body().toList());
        }
        return events(answer.body().toList());
    }

    private static Events events(List<String> lines) {
        List<ImportSummary> progress = new ArrayList<>();
        ImportSummary started = null;
        ImportReport report = null;
        String name = "";
        for (String line : lines) {
            if (line.startsWith("event:")) {
                name = line.substring("event:".length());
            } else if (line.startsWith("data:")) {
                String data = line.substring("data:".length());
                switch (name) {
                    case "started" -> started = JSON.readValue(data, ImportSummary.class);
                    case "progress" -> progress.add(JSON.readValue(data, ImportSummary.class));
                    case "report" -> report = JSON.readValue(data, ImportReport.class);
                    default -> throw new IllegalStateException(line);
                }
            }
        }
        return new Events(started, progress, report);
    }

    private static Iterator<byte[]> bytes(Iterator<String> lines) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return lines.hasNext();
            }

            @Override
            public byte[] next() {
                return lines.next().getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    static <T> Iterator<T> concat(Iterator<T> first, Iterator<T> second) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return first.hasNext() || second.hasNext();
            }

            @Override
            public T next() {
                return first.hasNext() ? first.next() : second.next();
            }
        };
    }

    /** Returns the text as a stream, which is made during the read and may fail at its end. */
    static InputStream stream(Iterator<String> lines, IOException end) {
        return new InputStream() {
            private byte[] line = {};
            private int at;

            @Override
            public int read() throws IOException {
                while (at == line.length) {
                    if (!lines.hasNext()) {
                        if (end != null) {
                            throw end;
                        }
                        return -1;
                    }
                    line = lines.next().getBytes(StandardCharsets.UTF_8);
                    at = 0;
                }
                return line[at++] & 0xFF;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int first = length == 0 ? -1 : read();
                if (first < 0) {
                    return length == 0 ? 0 : -1;
                }
                buffer[offset] = (byte) first;
                int more = Math.min(length - 1, line.length - at);
                System.arraycopy(line, at, buffer, offset + 1, more);
                at += more;
                return 1 + more;
            }
        };
    }
}
