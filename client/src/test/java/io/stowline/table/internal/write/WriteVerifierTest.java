package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.codec.PropertiesReader.RowProperties;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.write.WriteVerifier.EntitySnapshot;
import io.stowline.transport.internal.concurrent.UnresolvedReports;
import io.stowline.transport.internal.outcome.ReadBackResult;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of cases of docs/internals/outcome-tables.md, row by row. */
class WriteVerifierTest {

    private static final String MARK = "11111111-2222-3333-4444-555555555555";
    private static final String E0 = "W/\"1\"";
    private static final String E1 = "W/\"2\"";
    /** The service's clock at the time of the response; the first attempt was sent at most 10 s before. */
    private static final Instant DATE = Instant.parse("2024-02-29T12:00:00Z");

    private static final Instant OLD = DATE.minusSeconds(3600);
    private static final Instant NEW = DATE.minusSeconds(9);

    private static EncodedOperation operation(EntityVerb verb) {
        String etag = verb.conditional() ? E0 : null;
        return Operations.operation(verb, "p", "r", "ours", etag);
    }

    private static EncodedOperation anyVersion(EntityVerb verb) {
        return Operations.operation(verb, "p", "r", "ours", "*");
    }

    private static EntitySnapshot seen(String content, String etag, String marker, Instant written) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("Text", content.startsWith("ours") ? "ours" : content);
        if (content.equals("ours and more")) {
            values.put("More", 1);
        }
        return new EntitySnapshot(new RowProperties("p", "r", values, marker), etag, written, DATE);
    }

    private static String of(ReadBackResult<WriteResult> finding) {
        if (finding instanceof ReadBackResult.ProvenDone<WriteResult> done) {
            WriteResult written = done.result();
            return written.outcome() + " " + written.evidence()
                    + (written.etag().isEmpty() ? "" : " etag");
        }
        if (finding instanceof ReadBackResult.ProvenRefused) {
            return "REFUSED";
        }
        return finding instanceof ReadBackResult.Unproven
                ? "UNKNOWN"
                : finding.getClass().getSimpleName().toUpperCase(java.util.Locale.ROOT);
    }

    @ParameterizedTest(name = "{0} finds {1} etag {2} mark {3} {4}, horizon over {5}: {6}")
    @DisplayName("OUTCOME-1, OUTCOME-2, OUTCOME-3, OUTCOME-8: what a look at the entity proves")
    @CsvSource(
            nullValues = "-",
            value = {
                // verb, content, etag, mark (ours, theirs, none), age, horizon over, finding
                "INSERT, ours,          E1, ours,   new, false, RECOVERED MARKER etag",
                "INSERT, ours and more, E1, ours,   new, false, RECOVERED MARKER",
                "INSERT, theirs,        E1, ours,   new, true,  RECOVERED MARKER",
                "INSERT, theirs,        E1, ours,   old, true,  RECOVERED MARKER",
                "INSERT, theirs,        E1, theirs, new, false, UNKNOWN",
                "INSERT, theirs,        E1, -,      new, true,  UNKNOWN",
                "INSERT, theirs,        E1, -,      old, true,  REFUSED",
                "INSERT, theirs,        E1, -,      old, false, OPEN",
                "INSERT, ours,          E1, -,      old, true,  REFUSED",
                "REPLACE, ours,          E1, ours,   new, false, RECOVERED MARKER etag",
                "REPLACE, ours and more, E1, ours,   new, false, RECOVERED MARKER",
                "REPLACE, ours,          E1, -,      new, true,  UNKNOWN",
                "REPLACE, theirs,        E1, -,      new, true,  UNKNOWN",
                "REPLACE, theirs,        E1, -,      old, false, REFUSED",
                "REPLACE, theirs,        E0, -,      old, false, OPEN",
                "REPLACE, theirs,        E0, -,      new, true,  REFUSED",
                "MERGE,  ours and more, E1, ours,   new, false, RECOVERED MARKER",
                "MERGE,  theirs,        E1, -,      new, true,  UNKNOWN",
                "MERGE,  theirs,        E1, -,      old, false, REFUSED",
                "DELETE, theirs,        E0, -,      old, false, OPEN",
                "DELETE, theirs,        E0, -,      old, true,  REFUSED",
                "DELETE, theirs,        E1, -,      old, false, REFUSED",
                "DELETE, theirs,        E1, -,      new, true,  UNKNOWN"
            })
    void marked(EntityVerb verb, String content, String etag, String marker, String age, boolean over, String expected)
            throws IOException {
        WriteVerifier verifier = new WriteVerifier(operation(verb), MARK, false, UnresolvedReports.of(1, over));
        String found = "ours".equals(marker) ? MARK : marker;
        EntitySnapshot seen = seen(content, etag.equals("E0") ? E0 : E1, found, age.equals("old") ? OLD : NEW);

        assertThat(of(verifier.of(seen))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} finds {1} {2}, horizon over {3}: {4}")
    @DisplayName("OUTCOME-8: content counts where the write left no mark, and then as content only")
    @CsvSource({
        "INSERT, ours,          new, false, RECOVERED CONTENT etag",
        "INSERT, ours and more, new, true,  UNKNOWN",
        "INSERT, theirs,        new, true,  UNKNOWN",
        "INSERT, ours,          old, false, OPEN",
        "REPLACE, ours,          new, false, RECOVERED CONTENT etag",
        "REPLACE, ours and more, new, true,  UNKNOWN",
        "REPLACE, ours,          old, false, REFUSED",
        "MERGE,  ours and more, new, false, RECOVERED CONTENT",
        "MERGE,  theirs,        new, true,  UNKNOWN"
    })
    void unmarked(EntityVerb verb, String content, String age, boolean over, String expected) throws IOException {
        WriteVerifier verifier = new WriteVerifier(operation(verb), null, true, UnresolvedReports.of(1, over));

        assertThat(of(verifier.of(seen(content, E1, "somebody's", age.equals("old") ? OLD : NEW))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @DisplayName(
            "OUTCOME-3: an unconditional write is over for good only after the horizon, however old what is stored")
    @CsvSource({
        "REPLACE, theirs, old, false, OPEN",
        "REPLACE, theirs, old, true,  REFUSED",
        "REPLACE, ours,   new, false, RECOVERED CONTENT etag",
        "MERGE,  theirs, new, true,  UNKNOWN",
        "DELETE, theirs, old, false, OPEN",
        "DELETE, theirs, old, true,  REFUSED",
        "DELETE, ours,   new, true,  UNKNOWN"
    })
    void ofAnyVersion(EntityVerb verb, String content, String age, boolean over, String expected) throws IOException {
        WriteVerifier verifier = new WriteVerifier(anyVersion(verb), null, true, UnresolvedReports.of(1, over));

        assertThat(of(verifier.of(seen(content, E1, null, age.equals("old") ? OLD : NEW))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-0: that there is no such entity proves nothing, but for an unconditional deletion")
    @CsvSource({"INSERT, UNKNOWN", "REPLACE, UNKNOWN", "MERGE, UNKNOWN", "DELETE, UNKNOWN"})
    void absent(EntityVerb verb, String expected) {
        assertThat(of(new WriteVerifier(operation(verb), MARK, true, UnresolvedReports.of(1, true)).absent()))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("OUTCOME-3: after an unconditional deletion, nothing there is what was wanted")
    void absentAfterDeletion() {
        ReadBackResult.ProvenDone<WriteResult> done = (ReadBackResult.ProvenDone<WriteResult>)
                new WriteVerifier(anyVersion(EntityVerb.DELETE), null, false, UnresolvedReports.of(1, false)).absent();

        assertThat(done.result()).isEqualTo(WriteResult.absent(Evidence.CONTENT, true));
    }

    @ParameterizedTest
    @DisplayName("OUTCOME-9: what was found may come twice: by a second unanswered attempt, or by one that is not over")
    @CsvSource({
        "1, false, ours, false",
        "2, true,  ours, true",
        "1, false, -,    true",
        "1, true,  -,    false",
        "2, true,  -,    true"
    })
    void repeated(int unanswered, boolean over, String marker, boolean repeated) throws IOException {
        boolean marked = marker.equals("ours");
        WriteVerifier verifier = new WriteVerifier(
                operation(EntityVerb.INSERT), marked ? MARK : null, !marked, UnresolvedReports.of(unanswered, over));
        ReadBackResult<WriteResult> finding = verifier.of(seen("ours", E1, marked ? MARK : null, NEW));

        assertThat(((ReadBackResult.ProvenDone<WriteResult>) finding).result().mayHaveRepeated())
                .isEqualTo(repeated);
    }
}
