package io.stowline.system.recordings;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.BlobTree;
import io.stowline.blob.TransferReport;
import io.stowline.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verbs of containers that can meet the recorded responses of the blob service. */
final class ContainerReplays {

    private static final String NO_PLACE = "snapshots,deleted,uncommittedblobs";
    private static final CannedResponse NO_BLOBS = CannedResponse.of(
                    200,
                    "<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs /><NextMarker />"
                            + "</EnumerationResults>")
            .with("Content-Type", "application/xml");

    private ContainerReplays() {}

    static ReplayPlan of(ServiceRecording recording, String container) {
        String comp = recording.target().parameter("comp");
        if (comp == null) {
            return switch (recording.method()) {
                case "PUT" -> creation(recording, container);
                case "DELETE" -> deletion(recording, container);
                default -> facts(recording, container);
            };
        }
        if (comp.equals("metadata") && recording.method().equals("PUT")) {
            return ReplayPlan.of(bare(recording, "setMetadata", container, c -> c.setMetadata(Map.of("a", "b"))));
        }
        if (comp.equals("acl")) {
            return PolicyReplays.of(
                    recording, storage -> storage.container(container).policies());
        }
        return comp.equals("list")
                ? listing(recording, container)
                : ReplayPlan.refused("blobs: no verb for " + recording.method() + " " + comp + " of a container");
    }

    /** Returns the replay of a listing of an account's queues or containers. */
    static ReplayPlan names(ServiceRecording recording, String verb, Function<Stowline, List<String>> call) {
        if (recording.isError()) {
            return ReplayPlan.of(Replay.of(recording, verb, call, VerbOutcome.refusal(recording)));
        }
        XmlTree page = XmlTree.of(recording.response().body());
        String list = verb.substring("list".length());
        List<String> expected = Objects.requireNonNull(page.child(list)).children().stream()
                .map(entry -> Objects.requireNonNull(entry.text("Name")))
                .toList();
        CannedResponse empty = CannedResponse.of(
                        200, "<EnumerationResults><" + list + "/><NextMarker/></EnumerationResults>")
                .with("Content-Type", "application/xml");
        Replay replay = Replay.of(recording, verb, call, VerbOutcome.of(expected));
        String marker = page.text("NextMarker");
        return ReplayPlan.of((marker == null ? replay : replay.before(empty).requesting(1, "marker", marker))
                .requesting(0, "marker", null));
    }

    static Replay bare(ServiceRecording recording, String verb, String container, Consumer<BlobContainer> call) {
        return Replay.of(
                        recording,
                        "BlobContainer." + verb,
                        storage -> {
                            call.accept(storage.container(container));
                            return null;
                        },
                        recording.isError() ? VerbOutcome.refusal(recording) : VerbOutcome.NOTHING)
                .sending(0, recording);
    }

    static Replay valued(
            ServiceRecording recording,
            String verb,
            String container,
            Function<BlobContainer, ?> call,
            @Nullable Object expected) {
        return Replay.of(
                        recording,
                        "BlobContainer." + verb,
                        storage -> call.apply(storage.container(container)),
                        VerbOutcome.of(expected))
                .sending(0, recording);
    }

    private static ReplayPlan creation(ServiceRecording recording, String container) {
        String text = recording.response().text();
        Replay create = bare(recording, "create", container, BlobContainer::create);
        if (recording.isError() && !text.contains("ContainerAlreadyExists")) {
            Replay unless = bare(recording, "createIfMissing", container, BlobContainer::createIfMissing);
            return text.contains("ContainerBeingDeleted")
                    ? ReplayPlan.of(create.retried(), unless.retried())
                    : ReplayPlan.of(create, unless);
        }
        return ReplayPlan.of(
                create,
                valued(recording, "createIfMissing", container, BlobContainer::createIfMissing, !recording.isError()));
    }

    private static ReplayPlan deletion(ServiceRecording recording, String container) {
        ReplayPlan plan = ReplayPlan.of(bare(recording, "drop", container, BlobContainer::drop));
        return recording.status() == 202 || recording.status() == 404
                ? plan.and(valued(
                        recording, "dropIfExists", container, BlobContainer::dropIfExists, recording.status() == 202))
                : plan;
    }

    private static ReplayPlan facts(ServiceRecording recording, String container) {
        return switch (recording.status()) {
            case 200 ->
                ReplayPlan.of(
                        valued(recording, "exists", container, BlobContainer::exists, true),
                        valued(
                                recording,
                                "info",
                                container,
                                c -> c.info().metadata(),
                                recording.response().headers().startingWith("x-ms-meta-")));
            case 404 ->
                ReplayPlan.of(
                        valued(recording, "exists", container, BlobContainer::exists, false),
                        bare(recording, "info", container, BlobContainer::info));
            default ->
                ReplayPlan.of(
                        bare(recording, "exists", container, BlobContainer::exists),
                        bare(recording, "info", container, BlobContainer::info));
        };
    }

    private static ReplayPlan listing(ServiceRecording recording, String container) {
        XmlTree page = XmlTree.of(recording.response().body());
        List<XmlTree> entries = Objects.requireNonNull(page.child("Blobs")).children();
        String prefix = Objects.requireNonNullElse(recording.target().parameter("prefix"), "");
        String delimiter = recording.target().parameter("delimiter");
        String include = Objects.requireNonNullElse(recording.target().parameter("include"), "");
        Replay replay;
        if (delimiter != null) {
            replay = level(recording, container, prefix, delimiter, entries);
        } else if (Stream.of(include.split(",")).anyMatch(part -> !part.isEmpty() && NO_PLACE.contains(part))) {
            if (entries.isEmpty()) {
                return ReplayPlan.refused("blobs: an empty listing of revisions, which have the name of their blob");
            }
            replay = revisions(recording, container, entries);
        } else {
            replay = Replay.of(
                    recording,
                    "BlobContainer.stream",
                    storage -> listed(storage.container(container).stream(prefix)),
                    VerbOutcome.of(entries.stream().map(BlobOracle::ofListing).toList()));
        }
        String marker = page.text("NextMarker");
        return ReplayPlan.of((marker == null ? replay : replay.before(NO_BLOBS).requesting(1, "marker", marker))
                .sending(0, recording)
                .requesting(0, "marker", null));
    }

    private static List<BlobInfo> listed(Stream<BlobInfo> list) {
        try (list) {
            return list.toList();
        }
    }

    private static Replay level(
            ServiceRecording recording, String container, String prefix, String delimiter, List<XmlTree> entries) {
        List<BlobTree.Entry> expected = entries.stream()
                .map(entry -> new BlobTree.Entry(
                        Objects.requireNonNull(entry.text("Name")),
                        entry.name().equals("BlobPrefix") ? null : BlobOracle.ofListing(entry)))
                .sorted(Comparator.comparing(
                        entry -> entry.name().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned))
                .toList();
        return Replay.of(
                recording,
                "BlobContainer.entries",
                storage -> {
                    try (Stream<BlobTree.Entry> level =
                            storage.container(container).entries(prefix, delimiter)) {
                        return level.toList();
                    }
                },
                VerbOutcome.of(expected));
    }

    private static Replay revisions(ServiceRecording recording, String container, List<XmlTree> entries) {
        String name = Objects.requireNonNull(entries.get(0).text("Name"));
        List<List<Object>> expected = new ArrayList<>();
        for (XmlTree entry : entries) {
            String snapshot = entry.text("Snapshot");
            if (!name.equals(entry.text("Name"))) {
                break;
            }
            if (snapshot != null) {
                expected.add(
                        List.of(true, snapshot, "true".equals(entry.text("Deleted")), BlobOracle.ofListing(entry)));
            }
        }
        return Replay.of(
                recording,
                "BlobContainer.revisions",
                storage -> {
                    try (Stream<BlobRevision> found =
                            storage.container(container).revisions(name)) {
                        return found.map(one -> List.of(
                                        one.isSnapshot(),
                                        one.id(),
                                        one.deleted(),
                                        one.listed().orElseThrow()))
                                .toList();
                    }
                },
                VerbOutcome.of(expected));
    }

    /** A batch of as many parts as the response has. Names are of no account: the parts have numbers. */
    static ReplayPlan batch(ServiceRecording recording) {
        String request = new String(recording.requestBody(), StandardCharsets.UTF_8);
        boolean tier = request.contains("comp=tier");
        List<VerbOutcome> expected = parts(recording, tier);
        List<String> names =
                IntStream.range(0, expected.size()).mapToObj(i -> "blob" + i).toList();
        if (names.size() < 2) {
            return ReplayPlan.refused("blobs: a batch of one part, which travels as a plain request");
        }
        return ReplayPlan.of(Replay.of(
                recording,
                tier ? "BlobContainer.setTierOfAll" : "BlobContainer.deleteAll",
                storage -> ends(storage, names, tier),
                VerbOutcome.of(expected)));
    }

    private static List<VerbOutcome> ends(Stowline storage, List<String> names, boolean tier) {
        BlobContainer container = storage.container("container");
        List<TransferReport.Item> items =
                tier ? container.setTierOfAll(names, AccessTier.COOL) : container.deleteAll(names);
        return items.stream()
                .map(item -> item.error() instanceof StorageException e
                        ? VerbOutcome.failure(e, -1)
                        : VerbOutcome.of(item.action()))
                .toList();
    }

    private static List<VerbOutcome> parts(ServiceRecording recording, boolean tier) {
        VerbOutcome[] ends = new VerbOutcome[256];
        int count = 0;
        for (String part : recording.response().text().split("--batchresponse_[^\r\n]*")) {
            int id = part.indexOf("Content-ID: ");
            if (id >= 0) {
                int number = Integer.parseInt(
                        part.substring(id + 12, part.indexOf('\n', id)).strip());
                String inner = part.substring(part.indexOf("HTTP/1.1"));
                int status = Integer.parseInt(inner.substring(9, 12));
                ends[number] = end(status, inner, tier);
                count = Math.max(count, number + 1);
            }
        }
        return Arrays.asList(ends).subList(0, count);
    }

    private static VerbOutcome end(int status, String part, boolean tier) {
        if (status < 300) {
            return VerbOutcome.of(tier ? TransferReport.Action.MOVED : TransferReport.Action.DELETED);
        }
        if (status == 404 && !tier) {
            return VerbOutcome.of(TransferReport.Action.SKIPPED);
        }
        String id = part.lines()
                .filter(line -> line.startsWith("x-ms-request-id: "))
                .map(line -> line.substring(17))
                .findFirst()
                .orElse(null);
        return VerbOutcome.refusal(status, CannedResponse.of(status, part), id, -1);
    }
}
