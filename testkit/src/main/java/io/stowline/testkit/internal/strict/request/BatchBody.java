package io.stowline.testkit.internal.strict.request;

import io.stowline.testkit.StorageService;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parts of a batch request, read in one pass.
 *
 * @param operations the operations in order, queries among them
 * @param changeSets how many change sets there are
 * @param emptyChangeSets how many of them hold no operation
 * @param queries how many operations are queries
 */
public record BatchBody(List<StrictRequest> operations, int changeSets, int emptyChangeSets, int queries) {

    private static final String BOUNDARY = "boundary=";

    /** Reads a batch; empty when it is no multipart message. */
    public static Optional<BatchBody> of(StrictRequest request) {
        Optional<String> boundary = boundary(request.header("Content-Type", ""));
        return boundary.map(name -> new Reader(request.body(), request.service()).batch(name));
    }

    static Optional<String> boundary(String contentType) {
        int at = contentType.toLowerCase(Locale.ROOT).indexOf(BOUNDARY);
        if (at < 0) {
            return Optional.empty();
        }
        String value = contentType.substring(at + BOUNDARY.length());
        int end = value.indexOf(';');
        return Optional.of((end < 0 ? value : value.substring(0, end)).strip().replace("\"", ""))
                .filter(name -> !name.isEmpty());
    }

    private static final class Reader {

        private final LineReader lines;
        private final StorageService service;
        private final List<StrictRequest> operations = new ArrayList<>();
        private int changeSets;
        private int emptyChangeSets;
        private int queries;

        Reader(Bytes body, StorageService service) {
            this.lines = new LineReader(body);
            this.service = service;
        }

        BatchBody batch(String name) {
            String delimiter = "--" + name;
            boolean more = lines.skipTo(delimiter);
            while (more) {
                Map<String, String> headers = headers();
                Optional<String> inner = boundary(headers.getOrDefault("Content-Type", ""));
                if (inner.isPresent()) {
                    changeSet("--" + inner.get());
                    more = lines.skipTo(delimiter);
                } else {
                    more = operation(delimiter);
                }
            }
            return new BatchBody(List.copyOf(operations), changeSets, emptyChangeSets, queries);
        }

        private void changeSet(String delimiter) {
            int before = operations.size();
            changeSets++;
            boolean more = lines.skipTo(delimiter);
            while (more) {
                headers();
                more = operation(delimiter);
            }
            if (operations.size() == before) {
                emptyChangeSets++;
            }
        }

        private boolean operation(String delimiter) {
            String requestLine = lines.next();
            if (requestLine.isEmpty() || requestLine.startsWith(delimiter)) {
                return !requestLine.isEmpty() && !requestLine.startsWith(delimiter + "--");
            }
            Map<String, String> headers = headers();
            int from = lines.position();
            boolean more = lines.skipTo(delimiter);
            add(requestLine, headers, lines.between(from));
            return more;
        }

        private void add(String requestLine, Map<String, String> headers, Bytes body) {
            int first = requestLine.indexOf(' ');
            int last = requestLine.lastIndexOf(" HTTP/");
            if (first > 0 && last > first) {
                String method = requestLine.substring(0, first);
                String target = requestLine.substring(first + 1, last);
                operations.add(new StrictRequest(service, method, target, headers::get, body));
                queries += method.equals("GET") ? 1 : 0;
            }
        }

        private Map<String, String> headers() {
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            String line = lines.next();
            while (!line.isEmpty()) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    headers.put(
                            line.substring(0, colon).strip(),
                            line.substring(colon + 1).strip());
                }
                line = lines.next();
            }
            return headers;
        }
    }
}
