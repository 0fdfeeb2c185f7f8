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
import io.stowline.ring.internal.place.RingMember;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;

/** {@link RingContainer} over the containers of all accounts of a region. */
public final class DefaultRingContainer implements RingContainer {

    private final RoutedContainer container;
    private final BlobRoutes routes;

    /**
     * Makes a container.
     *
     * @param routes the way to its blobs
     */
    public DefaultRingContainer(RoutedContainer container, BlobRoutes routes) {
        this.container = container;
        this.routes = routes;
    }

    @Override
    public String name() {
        return container.name();
    }

    @Override
    public String accountOf(String blob) {
        return container.after(blob).name();
    }

    @Override
    public BlobContainer containerOf(String blob) {
        RingMember home = container.after(blob);
        if (routes.isChanging()) {
            throw new IllegalStateException("container " + name() + ": the ring has an account that joins or leaves, so"
                    + " that its blobs move; use the verbs of the ring's container, or wait for the end of the"
                    + " move");
        }
        return container.at(home);
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
        List<RingMember> all = container.ofRegion();
        all.forEach(container::checked);
        return AccountWork.onEach(all, member -> work.apply(container.at(member).reactive()));
    }

    private BlobWriteResult upload(
            String blob,
            boolean repeatable,
            UnaryOperator<UploadSettings.Builder> settings,
            BlobRoutes.BlobUpload upload) {
        Objects.requireNonNull(settings, "settings");
        return routes.write(
                blob,
                repeatable,
                home -> upload.to(home, with -> checked(settings.apply(with).build()).toBuilder()),
                (home, version) -> upload.to(
                        home,
                        with -> BlobRoutes.only(checked(settings.apply(with).build()), version)));
    }

    private static UploadSettings checked(UploadSettings settings) {
        if (settings.metadata().keySet().stream().anyMatch(BlobPlace.MARK::equalsIgnoreCase)) {
            throw new IllegalArgumentException(
                    "metadata " + BlobPlace.MARK + " is reserved for the moves of a ring: choose another name");
        }
        return settings;
    }

    @Override
    public BlobWriteResult upload(Path file, String blob, UnaryOperator<UploadSettings.Builder> settings) {
        Objects.requireNonNull(file, "file");
        return upload(blob, true, settings, (home, with) -> home.upload(file, blob, with));
    }

    @Override
    public BlobWriteResult upload(byte[] content, String blob, UnaryOperator<UploadSettings.Builder> settings) {
        Objects.requireNonNull(content, "content");
        return upload(blob, true, settings, (home, with) -> home.upload(content, blob, with));
    }

    @Override
    public BlobWriteResult upload(InputStream content, String blob, UnaryOperator<UploadSettings.Builder> settings) {
        Objects.requireNonNull(content, "content");
        return upload(blob, false, settings, (home, with) -> home.upload(content, blob, with));
    }

    @Override
    public byte[] download(String blob, UnaryOperator<DownloadSettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return routes.read(
                blob,
                home -> home.download(blob, settings),
                (home, version) -> home.download(blob, with -> BlobRoutes.only(settings.apply(with), version)));
    }

    @Override
    public BlobInfo downloadTo(String blob, Path target) {
        Objects.requireNonNull(target, "target");
        return routes.read(
                blob,
                home -> home.downloadTo(blob, target),
                (home, version) ->
                        BlobRoutes.shown(home.downloadTo(blob, target, with -> BlobRoutes.only(with, version))
                                .blob()));
    }

    @Override
    public InputStream open(String blob) {
        return routes.read(
                blob,
                home -> home.open(blob),
                (home, version) -> home.open(blob, with -> BlobRoutes.only(with, version)));
    }

    @Override
    public Optional<BlobInfo> find(String blob) {
        return routes.read(blob, home -> home.find(blob), (home, version) -> Optional.ofNullable(version)
                .map(BlobPlace::info));
    }

    @Override
    public WriteResult delete(String blob) {
        return routes.write(
                blob, true, home -> home.delete(blob), (home, version) -> home.delete(blob, BlobRoutes.etag(version)));
    }

    @Override
    public boolean deleteIfExists(String blob) {
        return routes.write(blob, true, home -> home.deleteIfExists(blob), (home, version) -> {
            if (version != null) {
                home.delete(blob, version.etag());
            }
            return version != null;
        });
    }

    @Override
    public Stream<BlobInfo> stream(String prefix) {
        return routes.stream(Objects.requireNonNull(prefix, "prefix"));
    }

    @Override
    public String toString() {
        return "RingContainer[" + name() + "]";
    }
}
