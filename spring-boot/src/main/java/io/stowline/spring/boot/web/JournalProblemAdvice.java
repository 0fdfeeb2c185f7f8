package io.stowline.spring.boot.web;

import io.stowline.journal.JournalException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** An advice that turns the exceptions of a journal into problem details. Immutable and thread-safe. */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class JournalProblemAdvice {

    private final ProblemAdvice problems;

    JournalProblemAdvice(ProblemAdvice problems) {
        this.problems = problems;
    }

    @ExceptionHandler(JournalException.class)
    ResponseEntity<ProblemDetail> journal(Throwable failure) throws Throwable {
        return problems.problem(failure);
    }
}
