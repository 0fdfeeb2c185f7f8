package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.List;

/** The conditions and checksums of a write to a blob. */
final class BlobConditionCheck implements StrictCheck {

    private static final List<String> CONDITIONS =
            List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since");

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (!request.isRead()) {
            checkNumber(request, rules);
            checkETags(request.header("If-Match", ""), rules);
            checkETags(request.header("If-None-Match", ""), rules);
            if (request.header("Content-MD5") != null && request.header("x-ms-content-crc64") != null) {
                rules.refuse(
                        StrictRule.CHECKSUMS,
                        "Both Content-MD5 and x-ms-content-crc64 are specified; only one of them may be.");
            }
        }
    }

    private static void checkNumber(StorageRequest request, Rulebook rules) {
        List<String> used =
                CONDITIONS.stream().filter(name -> request.header(name) != null).toList();
        boolean pair = used.equals(List.of("If-Match", "If-Unmodified-Since"))
                || used.equals(List.of("If-None-Match", "If-Modified-Since"));
        if (used.size() > 1 && !pair) {
            rules.refuse(StrictRule.BLOB_CONDITIONS, "Multiple condition headers are not supported: " + used);
        }
    }

    private static void checkETags(String condition, Rulebook rules) {
        boolean quoted = false;
        for (int i = 0; i < condition.length(); i++) {
            quoted ^= condition.charAt(i) == '"';
            if (condition.charAt(i) == ',' && !quoted) {
                rules.refuse(StrictRule.BLOB_ETAGS, "Multiple condition headers are not supported: more than one ETag");
            }
        }
    }
}
