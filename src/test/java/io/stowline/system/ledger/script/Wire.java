package io.stowline.system.ledger.script;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the changes of requests, and the results of responses. The workload's keys and values need no escapes. */
public final class Wire {

    private static final Pattern PART = Pattern.compile("(?i)content-type: application/http");
    private static final Pattern PART_REQUEST = Pattern.compile("(POST|PUT|PATCH|MERGE|DELETE) (\\S+) HTTP/1\\.1");
    private static final Pattern PART_STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");
    private static final Pattern KEYS = Pattern.compile("\\(PartitionKey='([^']*)',RowKey='([^']*)'\\)");
    private static final Pattern BODY_KEY = Pattern.compile("\"(PartitionKey|RowKey)\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern IF_MATCH = Pattern.compile("(?im)^if-match: (.*?)\\r?$");
    private static final Pattern ETAG = Pattern.compile("(?im)^etag: (.*?)\\r?$");

    private Wire() {}

    public static boolean isWrite(SentRequest request) {
        return !request.method().equals("GET") && !request.method().equals("HEAD");
    }

    public static List<Change> changes(SentRequest request) {
        if (request.service() != StorageService.TABLE || !isWrite(request)) {
            return List.of();
        }
        if (!request.path().endsWith("$batch")) {
            String ifMatch = request.header("If-Match");
            return List.of(
                    change(request.method(), decoded(request.path()), ifMatch == null ? "" : ifMatch, request.text()));
        }
        List<Change> changes = new ArrayList<>();
        for (String part : parts(request.text())) {
            Matcher line = PART_REQUEST.matcher(part);
            if (line.find()) {
                changes.add(change(line.group(1), decoded(line.group(2)), first(IF_MATCH, part), part));
            }
        }
        return changes;
    }

    private static List<String> parts(String text) {
        return PART.splitAsStream(text).skip(1).toList();
    }

    private static Change change(String method, String address, String ifMatch, String body) {
        boolean any = ifMatch.isEmpty() || ifMatch.equals("*");
        Verb verb =
                switch (method) {
                    case "POST" -> Verb.INSERT;
                    case "PUT" -> any ? Verb.REPLACE_ANY : Verb.UPDATE;
                    case "DELETE" -> any ? Verb.DELETE : Verb.DELETE_VERSION;
                    default -> any ? Verb.MERGE_ANY : Verb.MERGE;
                };
        return new Change(
                verb, key(address, body), verb.isDelete() ? "" : value(verb.property(), body), any ? "" : ifMatch);
    }

    private static Key key(String address, String body) {
        Matcher keys = KEYS.matcher(address);
        if (keys.find()) {
            return new Key(keys.group(1), keys.group(2));
        }
        String partition = "";
        String row = "";
        Matcher inBody = BODY_KEY.matcher(body);
        while (inBody.find()) {
            partition = inBody.group(1).equals("PartitionKey") ? inBody.group(2) : partition;
            row = inBody.group(1).equals("RowKey") ? inBody.group(2) : row;
        }
        return new Key(partition, row);
    }

    private static String value(String property, String body) {
        return first(Pattern.compile("\"" + property + "\"\\s*:\\s*\"([^\"]*)\""), body);
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? found.group(1) : "";
    }

    private static String decoded(String address) {
        return URLDecoder.decode(address.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** Returns whether the service carried a request out; of a transaction, all of it. */
    public static boolean applied(SentRequest request, StubResponse response) {
        if (!isWrite(request) || response.status() >= 300) {
            return false;
        }
        if (!request.path().endsWith("$batch")) {
            return true;
        }
        Matcher status = PART_STATUS.matcher(response.text());
        boolean all = true;
        while (status.find()) {
            all &= status.group(1).startsWith("2");
        }
        return all;
    }

    /** Returns the versions that a request left behind, in the order of its changes. */
    public static List<String> etags(SentRequest request, StubResponse response) {
        if (!request.path().endsWith("$batch")) {
            String etag = response.header("ETag");
            return List.of(etag == null ? "" : etag);
        }
        List<String> etags = new ArrayList<>();
        for (String part : parts(response.text())) {
            etags.add(first(ETAG, part));
        }
        return etags;
    }

    public static String id(SentRequest request) {
        String id = request.header("x-ms-client-request-id");
        return id == null ? "" : id;
    }
}
