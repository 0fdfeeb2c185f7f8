package io.stowline.examples.photodrop;

import io.stowline.access.BlobSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.queue.MessageQueue;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;

/**
 * The photos. Their bytes never pass through this service: it signs for the browser, checks what has been uploaded, and has the thumbnail made.
 */
@Service
class Photos {

    /** Small enough for a slow line to repeat one after a failure. */
    private static final int BLOCK_BYTES = 1 << 20;

    private static final Duration READ_TIME = Duration.ofHours(1);

    private final BlobContainer photos;
    private final BlobContainer thumbnails;
    private final MessageQueue<ThumbnailJob> jobs;
    private final PhotoDropSettings settings;

    Photos(
            @Qualifier("photos") BlobContainer photos,
            @Qualifier("thumbnails") BlobContainer thumbnails,
            MessageQueue<ThumbnailJob> jobs,
            PhotoDropSettings settings) {
        this.photos = photos;
        this.thumbnails = thumbnails;
        this.jobs = jobs;
        this.settings = settings;
    }

    /**
     * Begins an upload: it opens one blob, which is not there yet and whose name cannot be guessed.
     *
     * @throws PhotoProblem if the type or the size is not allowed
     */
    Upload begin(@Nullable String contentType, long size) {
        PhotoType type = PhotoType.of(contentType)
                .orElseThrow(() -> new PhotoProblem(
                        HttpStatus.UNSUPPORTED_MEDIA_TYPE, "This is no photo: only JPEG and PNG files are accepted."));
        checkSize(size);
        String name = UUID.randomUUID() + "." + type.extension();
        SharedAccessSignature signature = photos.sas(name)
                .canCreate()
                .canWrite()
                .validFor(settings.uploadTime())
                .sign();
        return new Upload(name, signature.uri(), signature.expiresAt().orElseThrow(), type.contentType(), BLOCK_BYTES);
    }

    /**
     * Accepts a photo that has been uploaded, and has its thumbnail made. May be repeated. A signature does not bound sizes, so the blob is checked here.
     *
     * @throws PhotoProblem if the blob is missing, or its size is not allowed: then it is removed
     */
    void accept(String name) {
        BlobInfo info = photos.find(name).orElseThrow(Photos::missing);
        try {
            checkSize(info.size());
        } catch (PhotoProblem e) {
            photos.deleteIfExists(name);
            throw e;
        }
        jobs.send(new ThumbnailJob(name));
    }

    /**
     * Signs the addresses at which the browser reads a photo. The signatures fix the headers, since an uploader may write any header into the blob.
     *
     * @throws PhotoProblem if the photo is missing: removed, if it had been accepted, since it could not be read
     */
    View find(String name) {
        boolean finished = thumbnails.exists(name);
        if (!finished && !photos.exists(name)) {
            throw missing();
        }
        String contentType = PhotoType.ofName(name).contentType();
        return new View(
                name,
                signed(photos, name, contentType, "inline"),
                signed(photos, name, contentType, "attachment; filename=\"" + name + "\""),
                finished ? signed(thumbnails, name, PhotoType.JPEG.contentType(), "inline") : null);
    }

    private static URI signed(BlobContainer container, String name, String contentType, String disposition) {
        BlobSasBuilder<SharedAccessSignature> builder = container
                .sas(name)
                .canRead()
                .validFor(READ_TIME)
                .servedWithContentType(contentType)
                .servedWithContentDisposition(disposition)
                .servedWithCacheControl("private, max-age=" + READ_TIME.toSeconds());
        return builder.sign().uri();
    }

    private void checkSize(long size) {
        if (size < 1) {
            throw new PhotoProblem(HttpStatus.BAD_REQUEST, "The file is empty.");
        }
        if (size > settings.maxSize().toBytes()) {
            String megabytes = String.format(Locale.ROOT, "%.1f", Math.ceil(size * 10.0 / (1 << 20)) / 10);
            throw new PhotoProblem(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "A photo has at most " + settings.maxSize().toMegabytes() + " MB; this one has " + megabytes
                            + " MB.");
        }
    }

    private static PhotoProblem missing() {
        return new PhotoProblem(HttpStatus.NOT_FOUND, "There is no such photo.");
    }

    /**
     * An upload that may begin.
     *
     * @param photo the blob's name
     * @param uri the address of the blob with the signature
     * @param expiresAt when the signature ends
     * @param contentType the type that the browser sets
     * @param blockBytes how many bytes each block has, but for the last one
     */
    record Upload(String photo, URI uri, Instant expiresAt, String contentType, int blockBytes) {}

    /**
     * The addresses of a photo, each with a signature.
     *
     * @param photo the blob's name
     * @param picture the photo, shown in the page
     * @param download the photo, saved as a file
     * @param thumbnail the thumbnail, or {@code null} until it is made
     */
    record View(
            String photo,
            URI picture,
            URI download,
            @Nullable URI thumbnail) {}
}
