package io.stowline.table.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stowline.table.internal.request.EntityVerb;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one operation, as its own request or as a part of a batch, and checks it as the service does. */
final class SimulatedOperations {

    /** The address of all tables. */
    static final String ROOT = "https://acct.table.core.windows.net";

    static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private static final int MAX_PROPERTIES = 255;
    private static final int MAX_BYTES = 1024 * 1024;
    private static final Pattern ADDRESS =
            Pattern.compile("(?<table>[A-Za-z0-9]+)(\\(PartitionKey='(?<partition>[^']*)',RowKey='(?<row>[^']*)'\\))?");

    private SimulatedOperations() {}

    /**
     * The address of an operation.
     *
     * @param table the table
     * @param key the entity, or {@code null} for the table as a whole
     */
    record Address(String table, @Nullable SimulatedKey key) {

        static Address of(String url) throws Malformed {
            Malformed.unless(url.startsWith(ROOT + "/"), () -> "the address is not in the account: " + url);
            Matcher matcher = ADDRESS.matcher(url.substring(ROOT.length() + 1));
            Malformed.unless(matcher.matches(), () -> "not the address of an entity or a table: " + url);
            String partition = matcher.group("partition");
            String table = matcher.group("table").toLowerCase(Locale.ROOT);
            return new Address(
                    table, partition == null ? null : new SimulatedKey(key(partition), key(matcher.group("row"))));
        }

        private static String key(String encoded) {
            return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8)
                    .replace("''", "'");
        }
    }

    /** Returns the change that an operation requests. */
    static StoreChange change(String method, Address address, Map<String, String> headers, byte[] body)
            throws Malformed {
        String ifMatch = headers.get("if-match");
        Malformed.unless(!"".equals(ifMatch), "an empty If-Match");
        Malformed.unless(headers.containsKey("accept"), () -> method + " without Accept would be answered in Atom");
        EntityVerb verb = verb(method, ifMatch);
        if (verb == EntityVerb.DELETE) {
            Malformed.unless(body.length == 0, "a DELETE with a body");
            return new StoreChange(verb, entity(address), ifMatch, Map.of(), 0);
        }
        Malformed.unless(
                "application/json".equals(headers.get("content-type")), () -> method + " with a body that is no JSON");
        Map<String, JsonNode> properties = properties(body);
        SimulatedKey key = key(properties);
        if (verb == EntityVerb.INSERT) {
            Malformed.unless(address.key() == null, "a POST to an entity");
            Malformed.unless(
                    "return-no-content".equals(headers.get("prefer")), "a POST that is answered with all it sent");
        } else {
            Malformed.unless(
                    entity(address).equals(key), () -> "the address names " + address.key() + ", the body " + key);
        }
        JsonNode op = properties.get("op");
        return new StoreChange(verb, key, ifMatch, properties, op == null ? 0 : op.asInt());
    }

    private static EntityVerb verb(String method, @Nullable String ifMatch) throws Malformed {
        return switch (method) {
            case "POST" -> {
                Malformed.unless(ifMatch == null, "a POST with If-Match");
                yield EntityVerb.INSERT;
            }
            case "PUT" -> ifMatch == null ? EntityVerb.INSERT_OR_REPLACE : EntityVerb.REPLACE;
            case "MERGE", "PATCH" -> ifMatch == null ? EntityVerb.INSERT_OR_MERGE : EntityVerb.MERGE;
            case "DELETE" -> {
                Malformed.unless(ifMatch != null, "a DELETE without If-Match");
                yield EntityVerb.DELETE;
            }
            default -> throw new Malformed("the method " + method);
        };
    }

    private static SimulatedKey entity(Address address) throws Malformed {
        SimulatedKey key = address.key();
        if (key == null) {
            throw new Malformed("an operation on an entity that addresses the table");
        }
        return key;
    }

    private static SimulatedKey key(Map<String, JsonNode> properties) throws Malformed {
        JsonNode partition = properties.remove("PartitionKey");
        JsonNode row = properties.remove("RowKey");
        if (partition == null || row == null || !partition.isTextual() || !row.isTextual()) {
            throw new Malformed("an entity without its keys");
        }
        return new SimulatedKey(partition.textValue(), row.textValue());
    }

    private static Map<String, JsonNode> properties(byte[] body) throws Malformed {
        try {
            JsonNode json = JSON.readTree(body);
            Malformed.unless(json != null && json.isObject(), "a body that is no JSON object");
            Map<String, JsonNode> properties = new LinkedHashMap<>();
            long bytes = 0;
            for (Map.Entry<String, JsonNode> each : json.properties()) {
                properties.put(each.getKey(), each.getValue());
                bytes += 8
                        + 2L * each.getKey().length()
                        + 4
                        + 2L * each.getValue().asText().length();
            }
            Malformed.unless(properties.size() <= MAX_PROPERTIES, () -> properties.size() + " properties");
            Malformed.unless(bytes <= MAX_BYTES, "an entity that is larger than 1 MiB");
            return properties;
        } catch (JsonProcessingException e) {
            throw new Malformed("a body that is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new Malformed("a body that cannot be read");
        }
    }
}
