package io.stowline.examples.registrations;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The confirmations that would have gone to runners. Thread-safe. */
final class SentMails implements ConfirmationMail {

    private final Queue<Confirmation> sent = new ConcurrentLinkedQueue<>();

    @Override
    public void send(Confirmation confirmation) {
        sent.add(confirmation);
    }

    /** The bibs of a race that have a mail, one for each mail. */
    List<Integer> bibs(String race) {
        return sent.stream()
                .filter(confirmation -> confirmation.race().equals(race))
                .map(Confirmation::bib)
                .sorted()
                .toList();
    }
}
