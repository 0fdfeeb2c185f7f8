package io.stowline.examples.photodrop;

import io.stowline.spring.boot.autoconfigure.StowlineBeans;

/** The containers and the queue of the application, which become beans. */
class PhotoStorage extends StowlineBeans {

    @Override
    protected void declare() {
        container("photos");
        container("thumbnails");
        queue("thumbnails", ThumbnailJob.class);
    }
}
