package io.stowline.spring.boot.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.TransferFailedException;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.UnreachableException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.projection.InvalidKeyException;
import io.stowline.ring.PartitionMovingException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorFailedException;
import io.stowline.table.PredecessorUnknownException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;

class ProblemTypeTest {

    /** Notes and the failures of administrative calls of a ring, which no handler makes. */
    private static final Set<String> NOT_OF_REQUESTS = Set.of(
            "FailedAccountException", "RingMismatchException", "RingMoveSupersededException", "StrayEntitiesException");

    private static List<Class<?>> exceptionsOfTheClient() throws IOException, ClassNotFoundException {
        List<Class<?>> found = new ArrayList<>();
        for (Resource resource :
                new PathMatchingResourcePatternResolver().getResources("classpath*:io/stowline/**/*Exception.class")) {
            String path = resource.getURL().getPath();
            String name = path.substring(path.lastIndexOf("io/stowline/"), path.length() - ".class".length())
                    .replace('/', '.');
            if (name.matches("io\\.stowline\\.(spring|testkit|advisor|examples|spark)\\..*|.*\\.internal\\..*")) {
                continue;
            }
            Class<?> exception = ClassUtils.forName(name, null);
            if (Throwable.class.isAssignableFrom(exception)
                    && isPublic(exception)
                    && !Modifier.isAbstract(exception.getModifiers())
                    && !NOT_OF_REQUESTS.contains(exception.getSimpleName())) {
                found.add(exception);
            }
        }
        return found;
    }

    private static List<Class<?>> family(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(each -> each.isSealed() ? family(each).stream() : Stream.of(each))
                .toList();
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    @Test
    @DisplayName("each public exception of the client has a row, also a new one")
    void eachExceptionHasARow() throws Exception {
        assertThat(exceptionsOfTheClient())
                .hasSizeGreaterThan(28)
                .containsAll(family(StorageException.class))
                .allSatisfy(exception -> assertThat(FailureTypes.exceptions()).contains(exception.getName()));
    }

    @Test
    @DisplayName("the advices take the exceptions that have a row, and no others")
    void advicesTakeTheRows() throws Exception {
        Set<Class<?>> taken = new HashSet<>();
        for (Class<?> advice : List.of(
                ProblemAdvice.class, RingProblemAdvice.class, JournalProblemAdvice.class, RecordProblemAdvice.class)) {
            for (Method method : advice.getDeclaredMethods()) {
                ExceptionHandler handler = method.getAnnotation(ExceptionHandler.class);
                taken.addAll(handler == null ? List.of() : Arrays.asList(handler.value()));
            }
        }

        List<Class<?>> rows = new ArrayList<>();
        for (String row : FailureTypes.exceptions()) {
            rows.add(ClassUtils.forName(row, null));
        }

        assertThat(rows).allSatisfy(row -> assertThat(taken).anyMatch(type -> type.isAssignableFrom(row)));
        taken.remove(StorageException.class);
        assertThat(rows).containsAll(taken);
    }

    private static FailureDetails facts(int status, String code, int unanswered) {
        return WebApplication.facts(status, code, unanswered, null);
    }

    private static OutcomeUnknownException unknown() {
        return new OutcomeUnknownException(facts(0, null, 1), "it may be there", null);
    }

    @Test
    void aMissingRowIsTheClientsAndAMissingTableTheServices() {
        assertThat(ProblemType.of(new NotFoundException(facts(404, "ResourceNotFound", 0), null)))
                .isEqualTo(ProblemType.NOT_FOUND);
        for (String code : List.of("TableNotFound", "QueueNotFound", "ContainerNotFound")) {
            assertThat(ProblemType.of(new NotFoundException(facts(404, code, 0), null)))
                    .as(code)
                    .isEqualTo(ProblemType.INTERNAL);
        }
        assertThat(ProblemType.of(new ConflictException(facts(409, "EntityAlreadyExists", 0), null)))
                .isEqualTo(ProblemType.CONFLICT);
        assertThat(ProblemType.of(new ConflictException(facts(409, "TableBeingDeleted", 0), null)))
                .isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
    }

    @Test
    void aTransactionHasTheTypeOfItsOperation() {
        assertThat(ProblemType.of(new TransactionFailedException(
                        1, new ConflictException(facts(409, "EntityAlreadyExists", 0), null))))
                .isEqualTo(ProblemType.CONFLICT);
        assertThat(ProblemType.of(new TransactionFailedException(
                        1, new BadRequestException(facts(400, "InvalidInput", 0), null))))
                .isEqualTo(ProblemType.INTERNAL);
    }

    @Test
    @DisplayName("OUTCOME-0: what may have been sent is unknown, what was not sent is not")
    void unknownOutcomes() {
        assertThat(ProblemType.of(unknown())).isEqualTo(ProblemType.OUTCOME_UNKNOWN);
        assertThat(ProblemType.of(new LeftoverException("row", true))).isEqualTo(ProblemType.OUTCOME_UNKNOWN);
        assertThat(ProblemType.of(new LeftoverException("row", false))).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        InterruptedException interrupt = new InterruptedException();
        assertThat(ProblemType.of(new StorageInterruptedException(interrupt))).isEqualTo(ProblemType.OUTCOME_UNKNOWN);
        assertThat(ProblemType.of(new StorageInterruptedException("sent", interrupt, facts(0, null, 1))))
                .isEqualTo(ProblemType.OUTCOME_UNKNOWN);
        assertThat(ProblemType.of(new StorageInterruptedException("not sent", interrupt, facts(0, null, 0))))
                .isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(ProblemType.of(new WaitInterruptedException("no room", interrupt)))
                .isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(ProblemType.of(new PredecessorUnknownException("row", "row", unknown())))
                .isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(ProblemType.of(new PredecessorFailedException("row", unknown())))
                .isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
    }

    @Test
    void aPredecessorsFailureIsTheReason() {
        assertThat(ProblemType.of(new PredecessorFailedException(
                        "row", new ConflictException(facts(409, "EntityAlreadyExists", 0), null))))
                .isEqualTo(ProblemType.CONFLICT);
        assertThat(ProblemType.of(new PredecessorFailedException("row", new IllegalStateException())))
                .isEqualTo(ProblemType.INTERNAL);
    }

    @Test
    void theFirstKnownExceptionOfTheCausesCounts() {
        assertThat(ProblemType.of(new CompletionException(new ThrottledException(facts(503, "ServerBusy", 0), null))))
                .isEqualTo(ProblemType.TOO_BUSY);
        assertThat(ProblemType.of(new TransferFailedException(
                        "some blobs are there",
                        new UnreachableException(facts(0, null, 0), null),
                        org.mockito.Mockito.mock())))
                .isEqualTo(ProblemType.INTERNAL);
        assertThat(ProblemType.of(new IllegalStateException(new IOException()))).isEqualTo(ProblemType.INTERNAL);
    }

    @Test
    void otherFailures() {
        assertThat(ProblemType.of(new AuthenticationException(facts(403, "AuthorizationFailure", 0), null)))
                .isEqualTo(ProblemType.INTERNAL);
        assertThat(ProblemType.of(new ClosedException("the client"))).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(ProblemType.of(new InvalidKeyException("row key: 1025 characters")))
                .isEqualTo(ProblemType.INVALID_INPUT);
        assertThat(ProblemType.of(new PartitionMovingException("orders", Duration.ofSeconds(1))))
                .isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(ProblemType.of(new ProblemException(ProblemType.CONFLICT, "twice")))
                .isEqualTo(ProblemType.CONFLICT);
    }

    @Test
    void eachTypeHasItsStatus() {
        assertThat(Arrays.stream(ProblemType.values())
                        .map(type -> type.ending() + " " + type.status().value()))
                .containsExactly(
                        "invalid-input 400",
                        "not-found 404",
                        "conflict 409",
                        "version-changed 412",
                        "version-required 428",
                        "too-busy 503",
                        "storage-unavailable 503",
                        "outcome-unknown 504",
                        "internal 500");
    }
}
