package io.stowline.examples.registrations;

import io.stowline.examples.registrations.RaceSettings.Rules;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A problem of this service, with a type beside those of Stowline: the race takes no registrations now. */
final class RegistrationClosedException extends ErrorResponseException {

    private static final long serialVersionUID = 1L;

    RegistrationClosedException(Rules rules) {
        super(HttpStatus.CONFLICT, problem(rules), null);
    }

    private static ProblemDetail problem(Rules rules) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.CONFLICT, "registration is open from " + rules.opens() + " until " + rules.closes());
        problem.setType(URI.create("/problems/registration-closed"));
        problem.setTitle("Registration is closed");
        return problem;
    }
}
