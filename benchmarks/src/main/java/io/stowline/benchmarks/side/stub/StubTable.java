package io.stowline.benchmarks.side.stub;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Cities;
import io.stowline.benchmarks.side.work.Metadata;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of cities, each with the number of rows in its name. It knows filters on the partition key, since exports divide a table by them, and
 * makes a page of shared texts for each request. It counts the requests to it and the transactions. Only on the event loop.
 */
final class StubTable {

    private static final Pattern CONDITION = Pattern.compile("(\\w+) (ge|gt|le|lt|eq) '([^']*)'");
    private static final String TOKEN = "1!12!";
    private static final String MORE = "x-ms-continuation-NextPartitionKey: " + TOKEN;
    private static final String MORE_ROW = "\r\nx-ms-continuation-NextRowKey: 1!16!MTAwMDAwMDAwMA--\r\n";
    private static final String ACCOUNT = "https://acct.table.core.windows.net/";
    private static final int ROOM = 640;

    private long requests;

    void countTransaction() {
        requests++;
    }

    StubServerResponse respond(RequestHead head) {
        if (head.pathContains(Account.COUNT)) {
            return StubServerResponse.once("200 OK", "", Long.toString(requests));
        }
        requests++;
        int rows = Math.toIntExact(head.number(Cities.TABLE));
        Matcher conditions = CONDITION.matcher(option(head, "$filter"));
        int from = 0;
        int to = rows;
        while (conditions.find()) {
            if (!conditions.group(1).equals("PartitionKey")) {
                return StubServerResponse.once("501 Not Implemented", "", "");
            }
            int first = first(conditions.group(3), rows, false);
            int behind = first(conditions.group(3), rows, true);
            switch (conditions.group(2)) {
                case "ge" -> from = Math.max(from, first);
                case "gt" -> from = Math.max(from, behind);
                case "lt" -> to = Math.min(to, first);
                case "le" -> to = Math.min(to, behind);
                default -> {
                    from = Math.max(from, first);
                    to = Math.min(to, behind);
                }
            }
        }
        String token = option(head, "NextPartitionKey");
        if (token.startsWith(TOKEN)) {
            from = Integer.parseInt(token.substring(TOKEN.length()));
        }
        String top = option(head, "$top");
        int end = Math.min(to, from + (top.isEmpty() ? StubResponses.PAGE : Integer.parseInt(top)));
        return page(head.accepts(), !option(head, "$select").isEmpty(), rows, from, end, end < to);
    }

    private static String option(RequestHead head, String name) {
        return URLDecoder.decode(head.option(name), StandardCharsets.UTF_8);
    }

    /** Returns the first row from a partition on, or behind it. */
    private static int first(String partition, int rows, boolean behind) {
        int low = 0;
        int high = Cities.PARTITIONS;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Cities.partition(middle).compareTo(partition);
            if (order < 0 || (behind && order == 0)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.min(rows, low * Cities.perPartition(rows));
    }

    private static StubServerResponse page(
            Metadata level, boolean keysOnly, int rows, int from, int end, boolean more) {
        ByteBuf out = UnpooledByteBufAllocator.DEFAULT.heapBuffer(256 + ROOM * Math.max(0, end - from));
        ascii(out, level == Metadata.NONE ? "{" : "{\"odata.metadata\":\"" + ACCOUNT + "$metadata#cities\",");
        ascii(out, "\"value\":[");
        int perPartition = Cities.perPartition(rows);
        for (int n = from; n < end; n++) {
            String partition = Cities.partition(n / perPartition);
            String row = Cities.row(n);
            ascii(out, n == from ? "{" : ",{");
            if (level == Metadata.FULL) {
                full(out, "cities(PartitionKey='" + partition + "',RowKey='" + row + "')");
            }
            ascii(out, "\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row + "\"");
            if (!keysOnly) {
                out.writeBytes(Cities.properties(n, level == Metadata.FULL));
            }
            out.writeByte('}');
        }
        ascii(out, "]}");
        String headers = (more ? MORE + end + MORE_ROW : "") + "Content-Type: " + level.contentType()
                + "\r\nDataServiceVersion: 3.0;\r\n";
        return StubServerResponse.once("200 OK", headers, Unpooled.wrappedBuffer(out));
    }

    private static void full(ByteBuf out, String address) {
        ascii(out, "\"odata.type\":\"acct.cities\",\"odata.id\":\"" + ACCOUNT + address + "\",\"odata.etag\":\"");
        ascii(out, StubRows.ETAG.replace("\"", "\\\"") + "\",\"odata.editLink\":\"" + address + "\",");
    }

    private static void ascii(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.US_ASCII);
    }
}
