package io.stowline.blob.internal.client;

import io.stowline.blob.DownloadSettings;
import io.stowline.blob.PageBlobInfo;
import io.stowline.blob.PageBlobSettings;
import io.stowline.blob.PageRange;
import io.stowline.blob.ReactivePageBlob;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.page.PageOperations;
import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.WriteResult;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@link ReactivePageBlob} that delivers the results of its {@link PageOperations}. */
record DefaultReactivePageBlob(BlobContext context, PageOperations verbs) implements ReactivePageBlob {

    @Override
    public String name() {
        return verbs.name();
    }

    @Override
    public ReactivePageBlob ifSequenceNumberLessOrEqual(long number) {
        return new DefaultReactivePageBlob(context, verbs.ifSequenceNumber("le", number));
    }

    @Override
    public ReactivePageBlob ifSequenceNumberLess(long number) {
        return new DefaultReactivePageBlob(context, verbs.ifSequenceNumber("lt", number));
    }

    @Override
    public ReactivePageBlob ifSequenceNumberEqual(long number) {
        return new DefaultReactivePageBlob(context, verbs.ifSequenceNumber("eq", number));
    }

    @Override
    public Mono<Void> create(long size, UnaryOperator<PageBlobSettings.Builder> settings) {
        return context.delivered(Mono.defer(
                () -> DefaultPageBlob.creation(context, name(), size, settings).make()));
    }

    @Override
    public Mono<Boolean> createIfMissing(long size, UnaryOperator<PageBlobSettings.Builder> settings) {
        return context.delivered(Mono.defer(
                () -> DefaultPageBlob.creation(context, name(), size, settings).makeIfMissing()));
    }

    @Override
    public Mono<PageBlobInfo> info() {
        return context.delivered(verbs.info());
    }

    @Override
    public Mono<WriteResult> write(long offset, byte[] bytes) {
        return context.delivered(verbs.write(offset, bytes));
    }

    @Override
    public Mono<WriteResult> clear(long offset, long length) {
        return context.delivered(verbs.clear(offset, length));
    }

    @Override
    public Mono<byte[]> read(long offset, int length) {
        return context.delivered(verbs.read(offset, length));
    }

    @Override
    public Mono<WriteResult> resize(long size) {
        return context.delivered(verbs.resize(size));
    }

    @Override
    public Mono<WriteResult> setSequenceNumber(long number) {
        return context.delivered(verbs.setSequenceNumber(number));
    }

    @Override
    public Mono<WriteResult> raiseSequenceNumber(long number) {
        return context.delivered(verbs.raiseSequenceNumber(number));
    }

    @Override
    public Flux<PageRange> ranges() {
        return context.delivered(verbs.ranges());
    }

    @Override
    public Mono<PageBlobSettings.FileUpload> upload(Path file, UnaryOperator<PageBlobSettings.Builder> settings) {
        return context.delivered(Mono.defer(
                () -> DefaultPageBlob.upload(context, verbs, file, settings).run()));
    }

    @Override
    public Mono<DownloadSettings.FileDownload> downloadTo(
            Path target, UnaryOperator<DownloadSettings.Builder> settings) {
        return context.delivered(Mono.defer(() ->
                DefaultPageBlob.download(context, verbs, settings).toFile(Objects.requireNonNull(target, "target"))));
    }

    @Override
    public String toString() {
        return PrintableText.of("ReactivePageBlob[" + context.name() + "/" + name() + "]");
    }
}
