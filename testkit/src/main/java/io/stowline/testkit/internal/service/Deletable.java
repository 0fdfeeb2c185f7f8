package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.internal.wire.BatchBody;
import io.stowline.testkit.internal.wire.ResourceAddress;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.TableAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * A resource whose deletion takes time: a table, a queue or a container.
 *
 * @param service whose resource it is
 * @param name its name, that of a table in lower case
 */
record Deletable(StorageService service, String name) {

    /** Returns the resource that a request creates. */
    static Optional<Deletable> created(SentRequest request) {
        if (request.service() != StorageService.TABLE) {
            return request.method().equals("PUT") ? named(request) : Optional.empty();
        }
        StorageRequest parsed = StorageRequest.of(request, StorageService.TABLE);
        return request.method().equals("POST") && parsed.address().isTables()
                ? parsed.entity().flatMap(body -> body.text("TableName")).map(Deletable::table)
                : Optional.empty();
    }

    /** Returns the resource that a request deletes. */
    static Optional<Deletable> deleted(SentRequest request) {
        if (!request.method().equals("DELETE")) {
            return Optional.empty();
        }
        return request.service() == StorageService.TABLE
                ? TableAddress.of(request.path()).listed().map(Deletable::table)
                : named(request);
    }

    /** Returns the table whose entities a request is about. */
    static Optional<Deletable> usedTable(SentRequest request) {
        if (request.service() != StorageService.TABLE) {
            return Optional.empty();
        }
        StorageRequest parsed = StorageRequest.of(request, StorageService.TABLE);
        TableAddress address = parsed.address();
        if (address.isTables()) {
            return Optional.empty();
        }
        Optional<TableAddress> used = address.isBatch()
                ? BatchBody.of(parsed)
                        .flatMap(
                                batch -> batch.operations().stream().findFirst().map(StorageRequest::address))
                : Optional.of(address);
        return used.map(of -> table(of.table()));
    }

    private static Deletable table(String name) {
        return new Deletable(StorageService.TABLE, name.toLowerCase(Locale.ROOT));
    }

    /** The queue or container that a request addresses itself: below the account and without a part of it. */
    private static Optional<Deletable> named(SentRequest request) {
        StorageService service = request.service();
        if (service == null || request.query().containsKey("comp")) {
            return Optional.empty();
        }
        ResourceAddress address = ResourceAddress.of(StorageRequest.of(request, service));
        boolean container = request.query().getOrDefault("restype", "").equals("container");
        boolean one = !address.name().isEmpty() && address.inner().isEmpty();
        return one && container == (service == StorageService.BLOB)
                ? Optional.of(new Deletable(service, address.name()))
                : Optional.empty();
    }

    private String kind() {
        return switch (service) {
            case TABLE -> "Table";
            case QUEUE -> "Queue";
            case BLOB -> "Container";
        };
    }

    String errorCode() {
        return kind() + "BeingDeleted";
    }

    String errorText() {
        return "The specified " + kind().toLowerCase(Locale.ROOT) + " is being deleted.";
    }
}
