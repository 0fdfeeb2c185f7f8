package io.stowline.transport.internal;

/**
 * Says what an answer with a 2xx status means. Runs on an I/O thread, so it calls nothing of the user's.
 *
 * @param <A> the meaning
 */
@FunctionalInterface
public interface AnswerReader<A> {

    /**
     * Reads an answer.
     *
     * @param answer the answer
     * @return its meaning
     */
    Reading<A> read(Answer answer);
}
