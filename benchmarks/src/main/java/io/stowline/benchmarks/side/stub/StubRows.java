package io.stowline.benchmarks.side.stub;

import io.stowline.benchmarks.side.work.Metadata;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.SizedEntities;
import java.util.List;

/** Entities as the service writes them at each level of metadata (its page "Payload format for table service operations"). */
final class StubRows {

    static final String ETAG = "W/\"datetime'2026-11-21T03%3A48%3A35.3031181Z'\"";

    private static final String ACCOUNT = "https://acct.table.core.windows.net";
    private static final String TIMESTAMP = "2026-11-21T03:48:35.3031181Z";
    private static final List<String> ALL = List.of(
            "PartitionKey",
            "RowKey",
            "Timestamp",
            "customer",
            "address",
            "items",
            "comment",
            "carrier",
            "quantity",
            "number",
            "total",
            "paid",
            "placed");

    private final Metadata level;
    private final List<String> selected;

    /** An empty selection is all. */
    StubRows(Metadata level, List<String> selected) {
        this.level = level;
        this.selected = selected.isEmpty() ? ALL : selected;
    }

    /** Returns the response to a point read. */
    String entity(Order order) {
        StringBuilder out = new StringBuilder(2_048).append('{');
        if (level != Metadata.NONE) {
            out.append("\"odata.metadata\":\"").append(ACCOUNT).append("/$metadata#rows/@Element\",");
        }
        return fields(out, order).append('}').toString();
    }

    /** Returns an entity of texts, whose names and values have no need of metadata. */
    static String sized(int kib) {
        StringBuilder out = new StringBuilder().append('{');
        text(out, "PartitionKey", SizedEntities.PARTITION);
        text(out, "RowKey", Integer.toString(kib));
        text(out, "Timestamp", TIMESTAMP);
        SizedEntities.texts(kib).forEach((name, value) -> text(out, name, value));
        out.setLength(out.length() - 1);
        return out.append('}').toString();
    }

    /** Returns the response to a query. */
    String page(List<Order> orders) {
        StringBuilder out = new StringBuilder(1_500 * orders.size()).append('{');
        if (level != Metadata.NONE) {
            out.append("\"odata.metadata\":\"").append(ACCOUNT).append("/$metadata#rows\",");
        }
        out.append("\"value\":[");
        String comma = "";
        for (Order order : orders) {
            fields(out.append(comma).append('{'), order).append('}');
            comma = ",";
        }
        return out.append("]}").toString();
    }

    private StringBuilder fields(StringBuilder out, Order order) {
        if (level == Metadata.FULL) {
            String address = "rows(PartitionKey='" + order.partition() + "',RowKey='" + order.row() + "')";
            out.append("\"odata.type\":\"acct.rows\",\"odata.id\":\"")
                    .append(ACCOUNT)
                    .append('/')
                    .append(address)
                    .append("\",\"odata.etag\":\"")
                    .append(ETAG.replace("\"", "\\\""))
                    .append("\",\"odata.editLink\":\"")
                    .append(address)
                    .append("\",");
        }
        for (String name : selected) {
            field(out, name, order);
        }
        out.setLength(out.length() - 1);
        return out;
    }

    private void field(StringBuilder out, String name, Order order) {
        switch (name) {
            case "PartitionKey" -> text(out, name, order.partition());
            case "RowKey" -> text(out, name, order.row());
            case "Timestamp" -> typed(out, name, level == Metadata.FULL ? "Edm.DateTime" : "", TIMESTAMP);
            case "customer" -> text(out, name, order.customer());
            case "address" -> text(out, name, order.address());
            case "items" -> text(out, name, order.items());
            case "comment" -> text(out, name, order.comment());
            case "carrier" -> text(out, name, order.carrier());
            case "quantity" -> bare(out, name, order.quantity());
            case "number" -> typed(out, name, "Edm.Int64", Long.toString(order.number()));
            case "total" -> bare(out, name, order.total());
            case "paid" -> bare(out, name, order.paid());
            case "placed" -> typed(out, name, "Edm.DateTime", order.placed().toString());
            default -> throw new IllegalArgumentException("an order has no property '" + name + "'");
        }
    }

    /** Annotates a type that JSON does not show, unless the reader does not want it. */
    private void typed(StringBuilder out, String name, String type, String value) {
        if (level != Metadata.NONE && !type.isEmpty()) {
            text(out, name + "@odata.type", type);
        }
        text(out, name, value);
    }

    private static void text(StringBuilder out, String name, String value) {
        out.append('"').append(name).append("\":\"").append(value).append("\",");
    }

    private static void bare(StringBuilder out, String name, Object value) {
        out.append('"').append(name).append("\":").append(value).append(',');
    }
}
