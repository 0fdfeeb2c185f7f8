package io.stowline.examples.registrations;

import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.listener.StowlineQueueListener;
import io.stowline.table.Table;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The confirmations, which go through a queue, so that no registration waits for a mail, and any instance of the service can send them. Each job is
 * claimed in a table: copies of its message are dropped, and a job whose handler failed or crashed is done again.
 */
@Component
class Confirmations {

    private static final Logger LOG = LoggerFactory.getLogger(Confirmations.class);
    private static final int MAX_SHOWN = 100;

    private final MessageQueue<Confirmation.Job> queue;
    private final Table<Confirmation> table;
    private final ConfirmationMail mail;

    Confirmations(MessageQueue<Confirmation.Job> queue, Table<Confirmation> table, ConfirmationMail mail) {
        this.queue = queue;
        this.table = table;
        this.mail = mail;
    }

    /** Has a confirmation sent. */
    void request(Runner runner) {
        queue.send(new Confirmation.Job(UUID.randomUUID().toString(), runner.race(), runner.bib(), runner.email()));
    }

    /** Requests the confirmation of a registration that was accepted a moment ago, and stays so without it. */
    void requestIfPossible(Runner runner) {
        try {
            request(runner);
        } catch (StorageException e) {
            LOG.warn("Bib {} of {} has no confirmation for certain", runner.bib(), runner.race(), e);
        }
    }

    @StowlineQueueListener(queue = "confirmations", concurrency = "4")
    void confirm(Confirmation.Job job, MessageLease<Confirmation.Job> message) {
        Confirmation mine = Confirmation.of(job, message.id());
        if (claim(mine)) {
            mail.send(mine);
        }
    }

    /**
     * Another message that has the claim makes this one a copy. If this one has it, a handler of it has failed before,
     * or the response to the claim was lost. No claim is ever removed, so reading it settles an unknown outcome, too.
     */
    private boolean claim(Confirmation mine) {
        try {
            table.claim(mine);
            return true;
        } catch (ConflictException | OutcomeUnknownException e) {
            return table.find(mine.race(), mine.key())
                    .map(stored -> stored.value().equals(mine))
                    .orElseThrow(() -> e);
        }
    }

    List<Confirmation> of(Runner runner) {
        return table.query()
                .partition(runner.race())
                .rowPrefix(Confirmation.prefix(runner.bib()))
                .limit(MAX_SHOWN)
                .list();
    }
}
