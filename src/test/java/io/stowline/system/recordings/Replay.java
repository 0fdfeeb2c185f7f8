package io.stowline.system.recordings;

import io.stowline.Stowline;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Verb that meets a recorded response, and its expected end. Immutable.
 *
 * @param verb its name, for the summary
 * @param script all responses of the server; the recorded one is among them
 * @param readBack the response to each HEAD, with which a verb looks at a blob before it writes or after a refusal, or {@code null} where the
 *     recorded one is to a HEAD
 * @param wire looks at the requests; gives what is wrong with them, or {@code null}
 */
record Replay(
        String verb,
        List<CannedResponse> script,
        @Nullable CannedResponse readBack,
        Function<Stowline, ?> call,
        VerbOutcome expected,
        Function<List<WireRequest>, @Nullable String> wire) {

    static Replay of(ServiceRecording recording, String verb, Function<Stowline, ?> call, VerbOutcome expected) {
        CannedResponse readBack = recording.method().equals("HEAD") ? null : CannedResponse.blob("3");
        return new Replay(verb, List.of(recording.response()), readBack, call, expected, requests -> null);
    }

    /** Returns the replay through a gateway that gives its own page with each status, to a retry too. */
    Replay throughGateway() {
        List<CannedResponse> all = new ArrayList<>();
        for (CannedResponse each : script) {
            HeaderFields html = new HeaderFields(List.of(new HeaderFields.Field("Content-Type", "text/html")));
            CannedResponse page = new CannedResponse(
                    each.status(), each.reason(), html, "<html>refused</html>".getBytes(StandardCharsets.UTF_8));
            all.add(page);
            all.add(page);
        }
        return new Replay(verb, all, readBack, call, expected, wire);
    }

    /** Returns the replay with this response to a read-back of the blob. */
    Replay looking(CannedResponse response) {
        return new Replay(verb, script, response, call, expected, wire);
    }

    /** Returns the replay after other responses. */
    Replay after(CannedResponse... first) {
        List<CannedResponse> all = new ArrayList<>(List.of(first));
        all.addAll(script);
        return new Replay(verb, all, readBack, call, expected, wire);
    }

    /** Returns the replay before other responses. */
    Replay before(CannedResponse... last) {
        List<CannedResponse> all = new ArrayList<>(script);
        all.addAll(List.of(last));
        return new Replay(verb, all, readBack, call, expected, wire);
    }

    /** Returns the replay of a client that tries once more and gets the same response. */
    Replay retried() {
        return before(script.get(script.size() - 1));
    }

    /** Returns the replay with one more check of the requests. */
    Replay checking(Function<List<WireRequest>, @Nullable String> check) {
        return new Replay(verb, script, readBack, call, expected, requests -> {
            String wrong = wire.apply(requests);
            return wrong == null ? check.apply(requests) : wrong;
        });
    }

    /** Returns the replay whose request of this number has the recorded path behind the account. */
    Replay sending(int number, ServiceRecording recording) {
        String path = recording.target().decodedPath();
        return checking(requests -> requests.size() > number
                        && requests.get(number).target().pathBehindAccount().equals(path)
                ? null
                : "no request " + number + " to " + path + " but " + requests);
    }

    /** Returns the replay whose request of this number has this parameter. */
    Replay requesting(int number, String parameter, @Nullable String value) {
        return checking(requests -> requests.size() > number
                        && Objects.equals(requests.get(number).target().parameter(parameter), value)
                ? null
                : "no " + parameter + "=" + value + " in request " + number + " of " + requests);
    }
}
