package io.stowline.ring.internal.blob;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.UploadSettings;
import io.stowline.outcome.WriteResult;
import io.stowline.ring.RingContainer;
import io.stowline.ring.internal.place.AccountWork;
import io.stowline.ring.internal.place.MergedResults;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link RingContainer} over the containers of all accounts of a region. */
public final class DefaultRingContainer implements RingContainer {

    private final RingMembers members;
    private final String region;
    private final String name;
    private final UnaryOperator<String> placement;
    private final Map<RingMember, BlobContainer> containers = new LinkedHashMap<>();

    public DefaultRingContainer(RingMembers members, String region, String name, UnaryOperator<String> placement) {
        this.members = members;
        this.region = region;
        this.name = name;
        this.placement = placement;
        members.of(region)
                .forEach(member -> containers.put(member, member.client().container(name)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String accountOf(String blob) {
        return home(blob).name();
    }

    @Override
    public BlobContainer containerOf(String blob) {
        return at(home(blob));
    }

    private RingMember home(String blob) {
        String place = placement.apply(Objects.requireNonNull(blob, "name of the blob"));
        return members.after(region, Objects.requireNonNull(place, "the placement of a blob is null"));
    }

    private BlobContainer at(RingMember member) {
        return Objects.requireNonNull(containers.get(member), "an account of the region");
    }

    private <R> R atHome(String blob, Function<BlobContainer, R> verb) {
        RingMember home = home(blob);
        BlobContainer container = at(home);
        return home.call(() -> verb.apply(container));
    }

    @Override
    public boolean createIfMissing() {
        return inAll(ReactiveBlobContainer::createIfMissing).contains(true);
    }

    @Override
    public boolean exists() {
        return !inAll(ReactiveBlobContainer::exists).contains(false);
    }

    @Override
    public boolean dropIfExists() {
        return inAll(ReactiveBlobContainer::dropIfExists).contains(true);
    }

    private List<Boolean> inAll(Function<ReactiveBlobContainer, Mono<Boolean>> work) {
        containers.keySet().forEach(members::checked);
        return AccountWork.onEach(
                containers.keySet(), member -> work.apply(at(member).reactive()));
    }

    @Override
    public BlobWriteResult upload(Path file, String blob, UnaryOperator<UploadSettings.Builder> settings) {
        return atHome(blob, container -> container.upload(file, blob, settings));
    }

    @Override
    public BlobWriteResult upload(byte[] content, String blob, UnaryOperator<UploadSettings.Builder> settings) {
        return atHome(blob, container -> container.upload(content, blob, settings));
    }

    @Override
    public BlobWriteResult upload(InputStream content, String blob, UnaryOperator<UploadSettings.Builder> settings) {
        return atHome(blob, container -> container.upload(content, blob, settings));
    }

    @Override
    public byte[] download(String blob, UnaryOperator<DownloadSettings.Builder> settings) {
        return atHome(blob, container -> container.download(blob, settings));
    }

    @Override
    public BlobInfo downloadTo(String blob, Path target) {
        return atHome(blob, container -> container.downloadTo(blob, target));
    }

    @Override
    public InputStream open(String blob) {
        return atHome(blob, container -> container.open(blob));
    }

    @Override
    public Optional<BlobInfo> find(String blob) {
        return atHome(blob, container -> container.find(blob));
    }

    @Override
    public WriteResult delete(String blob) {
        return atHome(blob, container -> container.delete(blob));
    }

    @Override
    public boolean deleteIfExists(String blob) {
        return atHome(blob, container -> container.deleteIfExists(blob));
    }

    @Override
    public Stream<BlobInfo> stream(String prefix) {
        List<Flux<BlobInfo>> accounts = containers.keySet().stream()
                .map(member -> at(member).reactive().stream(prefix).onErrorMap(member::named))
                .toList();
        return MergedResults.stream(accounts, BlobInfo::name, Comparator.naturalOrder(), Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        return "RingContainer[" + name + "]";
    }
}
