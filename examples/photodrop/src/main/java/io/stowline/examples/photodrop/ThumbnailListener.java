package io.stowline.examples.photodrop;

import io.stowline.blob.BlobContainer;
import io.stowline.error.NotFoundException;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/** The listener that makes thumbnails. A photo that it cannot read is removed, so that the storage keeps photos only. */
@Component
class ThumbnailListener {

    private static final Logger LOG = LoggerFactory.getLogger(ThumbnailListener.class);

    private final BlobContainer photos;
    private final BlobContainer thumbnails;
    private final PhotoDropSettings settings;

    ThumbnailListener(
            @Qualifier("photos") BlobContainer photos,
            @Qualifier("thumbnails") BlobContainer thumbnails,
            PhotoDropSettings settings) {
        this.photos = photos;
        this.thumbnails = thumbnails;
        this.settings = settings;
    }

    @StowlineQueueListener(queue = "thumbnails", concurrency = "2")
    void make(ThumbnailJob job) {
        try {
            byte[] thumbnail = Thumbnail.of(read(job.photo()));
            thumbnails.upload(thumbnail, job.photo(), o -> o.overwrite().contentType(PhotoType.JPEG.contentType()));
        } catch (UnreadablePhotoException e) {
            LOG.info("The photo {} is removed", job.photo(), e);
            photos.deleteIfExists(job.photo());
        } catch (NotFoundException e) {
            LOG.info("The photo {} has been removed", job.photo(), e);
        }
    }

    /** Reads a photo, whose size its uploader may have changed since it was accepted. */
    private byte[] read(String photo) throws UnreadablePhotoException {
        int limit = Math.toIntExact(settings.maxSize().toBytes());
        long size = photos.info(photo).size();
        if (size > limit) {
            throw new UnreadablePhotoException("the photo has " + size + " bytes; the limit is " + limit, null);
        }
        return photos.download(photo, limit);
    }
}
