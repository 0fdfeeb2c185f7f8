package io.stowline.advisor.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a request: its service, account, container and keys. Hosts of Azure show the service, at others the SDK's name of the
 * request does.
 *
 * @param service {@code table}, {@code queue} or {@code blob}
 * @param account the account's name; of a host that does not show it the host, or the first step of the path at an emulator
 * @param container the table, queue or container; empty for the account
 * @param partition the partition key of one entity or the name of a blob, or {@code null}
 * @param row the row key of one entity, or {@code null}
 * @param below the path below the container, of tables the whole path
 * @param query the parameters
 */
record SdkAddress(
        String service,
        String account,
        String container,
        @Nullable String partition,
        @Nullable String row,
        String below,
        Map<String, String> query) {

    private static final String CALLER = "caller-method";
    private static final Set<String> SERVICES = Set.of("table", "queue", "blob");
    private static final Set<String> OTHERS = Set.of("file", "dfs", "web", "cosmos", "vault");
    private static final Pattern TABLE = Pattern.compile("([^()]*)(?:\\((.*)\\))?", Pattern.DOTALL);
    private static final Pattern ENTITY =
            Pattern.compile("PartitionKey='((?:[^']++|'')*+)',\\s*RowKey='((?:[^']++|'')*+)'");

    /** Returns the address of a request, or {@code null} if it is not one to storage. */
    static @Nullable SdkAddress of(HttpPipelineCallContext context) {
        URL url = context.getHttpRequest().getUrl();
        String host = url.getHost().toLowerCase(Locale.ROOT);
        List<String> labels = List.of(host.split("\\.", -1));
        List<String> domain = labels.subList(1, Math.min(labels.size(), 4));
        if (domain.stream().anyMatch(OTHERS::contains)) {
            return null;
        }
        String path = url.getPath().startsWith("/") ? url.getPath().substring(1) : url.getPath();
        Map<String, String> query = query(url.getQuery());
        String service = domain.stream().filter(SERVICES::contains).findFirst().orElse(null);
        if (service != null) {
            return of(service, labels.get(0).replaceFirst("-secondary$", ""), path, query);
        }
        String named = named(context.getData(CALLER).orElse("").toString());
        if (named == null) {
            return null;
        }
        boolean emulator = labels.size() == 1 || Character.isDigit(host.charAt(host.length() - 1));
        int step = path.indexOf('/');
        String first = step < 0 ? path : path.substring(0, step);
        return emulator
                ? of(named, first, step < 0 ? "" : path.substring(step + 1), query)
                : of(named, host, path, query);
    }

    /** The SDK names a request by the class of its interface. */
    private static @Nullable String named(String caller) {
        if (caller.startsWith("com.azure.data.tables.")) {
            return "table";
        }
        if (caller.startsWith("com.azure.storage.queue.")) {
            return "queue";
        }
        return caller.startsWith("com.azure.storage.blob.") ? "blob" : null;
    }

    private static SdkAddress of(String service, String account, String path, Map<String, String> query) {
        if (service.equals("table")) {
            return ofTable(account, decoded(path), query);
        }
        int step = path.indexOf('/');
        String container = decoded(step < 0 ? path : path.substring(0, step));
        String below = step < 0 ? "" : decoded(path.substring(step + 1));
        boolean blobs = service.equals("blob");
        if (blobs && below.isEmpty() && !container.isEmpty() && !query.containsKey("restype")) {
            return new SdkAddress(service, account, "$root", container, null, container, query);
        }
        return new SdkAddress(
                service, account, container, blobs && !below.isEmpty() ? below : null, null, below, query);
    }

    private static SdkAddress ofTable(String account, String path, Map<String, String> query) {
        Matcher table = TABLE.matcher(path);
        String name = table.matches() ? table.group(1) : "";
        String keys = table.matches() && table.group(2) != null ? table.group(2) : "";
        if (name.equals("Tables")) {
            String created = keys.startsWith("'") ? keys.substring(1, keys.length() - 1) : "";
            return new SdkAddress("table", account, created, null, null, path, query);
        }
        Matcher entity = ENTITY.matcher(keys);
        boolean one = entity.matches();
        return new SdkAddress(
                "table",
                account,
                name.startsWith("$") ? "" : name,
                one ? key(entity.group(1)) : null,
                one ? key(entity.group(2)) : null,
                path,
                query);
    }

    /** Returns the table and keys in the address of an operation of a transaction. */
    static SdkAddress ofOperation(String address) {
        int query = address.indexOf('?');
        String path = decoded(query < 0 ? address : address.substring(0, query));
        int keys = path.indexOf('(');
        int step = path.lastIndexOf('/', keys < 0 ? path.length() : keys);
        return ofTable("", path.substring(step + 1), Map.of());
    }

    private static String key(String quoted) {
        return quoted.replace("''", "'");
    }

    private static Map<String, String> query(@Nullable String text) {
        Map<String, String> query = new HashMap<>();
        if (text != null) {
            for (String part : text.split("&", -1)) {
                int equals = part.indexOf('=');
                query.putIfAbsent(
                        decoded(equals < 0 ? part : part.substring(0, equals)),
                        equals < 0 ? "" : decoded(part.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return text.indexOf('%') < 0 ? text : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    String parameter(String name) {
        return query.getOrDefault(name, "");
    }

    boolean isAbout(String comp) {
        return parameter("comp").equals(comp);
    }
}
