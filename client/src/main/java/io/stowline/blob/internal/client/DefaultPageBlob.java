package io.stowline.blob.internal.client;

import io.stowline.blob.DownloadSettings;
import io.stowline.blob.PageBlob;
import io.stowline.blob.PageBlobInfo;
import io.stowline.blob.PageBlobSettings;
import io.stowline.blob.PageRange;
import io.stowline.blob.ReactivePageBlob;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.file.DownloadTo;
import io.stowline.blob.internal.page.PageChannel;
import io.stowline.blob.internal.page.PageCreation;
import io.stowline.blob.internal.page.PageHoles;
import io.stowline.blob.internal.page.PageOperations;
import io.stowline.blob.internal.page.PageUpload;
import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** {@link PageBlob} that waits for its {@link PageOperations}. */
record DefaultPageBlob(BlobContext context, PageOperations verbs) implements PageBlob {

    @Override
    public String name() {
        return verbs.name();
    }

    @Override
    public ReactivePageBlob reactive() {
        return new DefaultReactivePageBlob(context, verbs);
    }

    @Override
    public PageBlob ifSequenceNumberLessOrEqual(long number) {
        return new DefaultPageBlob(context, verbs.ifSequenceNumber("le", number));
    }

    @Override
    public PageBlob ifSequenceNumberLess(long number) {
        return new DefaultPageBlob(context, verbs.ifSequenceNumber("lt", number));
    }

    @Override
    public PageBlob ifSequenceNumberEqual(long number) {
        return new DefaultPageBlob(context, verbs.ifSequenceNumber("eq", number));
    }

    @Override
    public void create(long size, UnaryOperator<PageBlobSettings.Builder> settings) {
        BlockingAwait.on(creation(context, name(), size, settings).make());
    }

    @Override
    public boolean createIfMissing(long size, UnaryOperator<PageBlobSettings.Builder> settings) {
        return BlockingAwait.result(creation(context, name(), size, settings).makeIfMissing());
    }

    static PageCreation creation(
            BlobContext context, String name, long size, UnaryOperator<PageBlobSettings.Builder> settings) {
        return new PageCreation(context, name, size, changed(settings));
    }

    private static PageBlobSettings changed(UnaryOperator<PageBlobSettings.Builder> settings) {
        return DirectoryTransfers.changed(settings, PageBlobSettings.builder()).build();
    }

    @Override
    public PageBlobInfo info() {
        return BlockingAwait.result(verbs.info());
    }

    @Override
    public WriteResult write(long offset, byte[] bytes) {
        return BlockingAwait.result(verbs.write(offset, bytes));
    }

    @Override
    public WriteResult clear(long offset, long length) {
        return BlockingAwait.result(verbs.clear(offset, length));
    }

    @Override
    public byte[] read(long offset, int length) {
        return BlockingAwait.result(verbs.read(offset, length));
    }

    @Override
    public WriteResult resize(long size) {
        return BlockingAwait.result(verbs.resize(size));
    }

    @Override
    public WriteResult setSequenceNumber(long number) {
        return BlockingAwait.result(verbs.setSequenceNumber(number));
    }

    @Override
    public WriteResult raiseSequenceNumber(long number) {
        return BlockingAwait.result(verbs.raiseSequenceNumber(number));
    }

    @Override
    public Stream<PageRange> ranges() {
        return FluxCursor.stream(verbs.ranges());
    }

    @Override
    public PageBlobSettings.FileUpload upload(Path file, UnaryOperator<PageBlobSettings.Builder> settings) {
        return BlockingAwait.result(upload(context, verbs, file, settings).run());
    }

    static PageUpload upload(
            BlobContext context, PageOperations verbs, Path file, UnaryOperator<PageBlobSettings.Builder> settings) {
        return new PageUpload(context, verbs, Objects.requireNonNull(file, "file"), changed(settings));
    }

    @Override
    public DownloadSettings.FileDownload downloadTo(Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return download(context, verbs, settings).file(Objects.requireNonNull(target, "target"));
    }

    static DownloadTo download(
            BlobContext context, PageOperations verbs, UnaryOperator<DownloadSettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        return new DownloadTo(
                context,
                verbs.name(),
                ContainerView.downloading(with -> settings.apply(with.asStored())),
                new PageHoles(verbs));
    }

    @Override
    public SeekableByteChannel channel() {
        return PageChannel.open(verbs);
    }

    @Override
    public String toString() {
        return PrintableText.of("PageBlob[" + context.name() + "/" + name() + "]");
    }
}
