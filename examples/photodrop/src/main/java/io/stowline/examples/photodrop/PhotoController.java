package io.stowline.examples.photodrop;

import io.stowline.error.StorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The photos over HTTP. Other names than those of photos match no path. */
@RestController
@RequestMapping("/photos")
class PhotoController {

    private static final Logger LOG = LoggerFactory.getLogger(PhotoController.class);
    private static final String PHOTO = "/{photo:" + PhotoType.NAME_PATTERN + "}";

    private final Photos photos;

    PhotoController(Photos photos) {
        this.photos = photos;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Photos.Upload begin(@RequestBody PhotoRequest request) {
        return photos.begin(request.contentType, request.size);
    }

    @PutMapping(PHOTO)
    @ResponseStatus(HttpStatus.ACCEPTED)
    void accept(@PathVariable String photo) {
        photos.accept(photo);
    }

    @GetMapping(PHOTO)
    Photos.View find(@PathVariable String photo) {
        return photos.find(photo);
    }

    /** Each request of the page may be repeated, also one whose outcome is unknown. */
    @ExceptionHandler
    ProblemDetail storage(StorageException e) {
        LOG.warn("A request of the page fails", e);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE, "The storage does not respond at the moment. Try again.");
    }

    /**
     * A photo that a browser wants to upload.
     *
     * @param contentType its type by the browser
     * @param size its bytes
     */
    record PhotoRequest(@Nullable String contentType, long size) {}
}
