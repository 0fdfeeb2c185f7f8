package io.stowline.examples.photodrop;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A problem whose detail the page shows to its user (RFC 9457). */
class PhotoProblem extends ErrorResponseException {

    private static final long serialVersionUID = 1;

    PhotoProblem(HttpStatus status, String detail) {
        super(status, ProblemDetail.forStatusAndDetail(status, detail), null);
    }
}
