package io.stowline.spring.boot.web;

import io.stowline.ring.PartitionMovingException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** An advice that turns the exceptions of a ring into problem details. Immutable and thread-safe. */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
class RingProblemAdvice {

    private final ProblemAdvice problems;

    RingProblemAdvice(ProblemAdvice problems) {
        this.problems = problems;
    }

    @ExceptionHandler(PartitionMovingException.class)
    ResponseEntity<ProblemDetail> moving(Throwable failure) throws Throwable {
        return problems.problem(failure);
    }
}
