package io.stowline.testkit.internal.strict;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.StubResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The status and the error code that a client reads out of a response: of a transaction those of its first failed
 * operation.
 */
record StrictVerdict(int status, String code) {

    private static final Pattern PART = Pattern.compile("HTTP/1\\.1 ([45][0-9]{2})");
    private static final Pattern CODE = Pattern.compile("\"code\":\"([^\"]*)\"|<Code>([^<]*)</Code>");

    static StrictVerdict of(StrictRule rule) {
        return new StrictVerdict(rule.status(), rule.code());
    }

    static StrictVerdict of(StubResponse response) {
        String header = response.header("x-ms-error-code");
        return of(response.status(), header == null ? "" : header, response.text());
    }

    static StrictVerdict of(int status, String header, String body) {
        Matcher part = PART.matcher(status == 202 ? body : "");
        int found = part.find() ? Integer.parseInt(part.group(1)) : status;
        return new StrictVerdict(found, header.isEmpty() && found >= 300 ? code(body) : header);
    }

    private static String code(String body) {
        Matcher code = CODE.matcher(body);
        if (!code.find()) {
            return "";
        }
        return code.group(1) == null ? code.group(2) : code.group(1);
    }
}
