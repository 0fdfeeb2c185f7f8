package io.stowline.spring.boot.web;

import io.stowline.records.FailedRecordsException;
import io.stowline.records.RecordReadException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** An advice that turns the exceptions of records in blobs into problem details. Immutable and thread-safe. */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class RecordProblemAdvice {

    private final ProblemAdvice problems;

    RecordProblemAdvice(ProblemAdvice problems) {
        this.problems = problems;
    }

    @ExceptionHandler({FailedRecordsException.class, RecordReadException.class})
    ResponseEntity<ProblemDetail> records(Throwable failure) throws Throwable {
        return problems.problem(failure);
    }
}
