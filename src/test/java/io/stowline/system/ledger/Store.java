package io.stowline.system.ledger;

import com.azure.core.http.HttpClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.models.QueueMessageItem;
import io.stowline.system.ledger.script.CompetingWriter;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table, the queue and the container of one seed, past all faults. */
final class Store {

    private static final Duration GUARD = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final int MAX = 32;

    private final TableClient table;
    private final QueueClient queue;
    private final BlobContainerClient container;

    Store(String connectionString, String name, HttpClient http) {
        this.table = new TableClientBuilder()
                .connectionString(connectionString)
                .tableName(name)
                .httpClient(http)
                .buildClient();
        this.queue = new QueueClientBuilder()
                .connectionString(connectionString)
                .queueName(name)
                .messageEncoding(QueueMessageEncoding.BASE64)
                .httpClient(http)
                .buildClient();
        this.container = new BlobContainerClientBuilder()
                .connectionString(connectionString)
                .containerName(name)
                .httpClient(http)
                .buildClient();
    }

    void create(List<String> blobs) {
        table.createTable();
        queue.create();
        container.create();
        blobs.forEach(
                blob -> container.getBlobClient(blob).getAppendBlobClient().create());
    }

    void delete() {
        table.deleteTable();
        queue.delete();
        container.delete();
    }

    CompetingWriter rival() {
        return new CompetingWriter(table);
    }

    /** Returns the present version, empty for none. */
    String etag(Key key) {
        String filter = "PartitionKey eq '" + key.partition() + "' and RowKey eq '" + key.row() + "'";
        return table.listEntities(new ListEntitiesOptions().setFilter(filter), null, null).stream()
                .map(TableEntity::getETag)
                .findFirst()
                .orElse("");
    }

    /** Returns all present entities. */
    Map<Key, Row> rows() {
        Map<Key, Row> rows = new HashMap<>();
        for (TableEntity entity : table.listEntities()) {
            Map<String, String> properties = new TreeMap<>();
            for (String property : List.of(Row.VALUE, Row.NOTE)) {
                if (entity.getProperty(property) instanceof String value) {
                    properties.put(property, value);
                }
            }
            rows.put(new Key(entity.getPartitionKey(), entity.getRowKey()), new Row(properties));
        }
        return rows;
    }

    String blob(String name) {
        return container.getBlobClient(name).downloadContent().toString();
    }

    /** Returns all present messages; it waits for those in the hands of a receiver. */
    List<Message> messages() throws InterruptedException {
        Map<String, Message> seen = new HashMap<>();
        long end = System.nanoTime() + GUARD.toNanos();
        while (seen.size() < queue.getProperties().getApproximateMessagesCountLong() && System.nanoTime() < end) {
            int before = seen.size();
            for (QueueMessageItem item : queue.receiveMessages(MAX, LONG, null, null)) {
                seen.put(
                        item.getMessageId(),
                        new Message(item.getMessageId(), item.getBody().toString()));
            }
            if (seen.size() == before) {
                Thread.sleep(100);
            }
        }
        return new ArrayList<>(seen.values());
    }
}
