package io.stowline.access.internal;

import io.stowline.access.AccountSasBuilder;
import io.stowline.access.SharedAccessSignature;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A builder for an account or some of its services. */
public final class DefaultAccountSasBuilder<R> extends DefaultSasBuilder<AccountSasBuilder<R>, R>
        implements AccountSasBuilder<R> {

    private static final String SERVICES = "ss";
    private static final String LEVELS = "srt";

    /** Begins a signature for an account. */
    public DefaultAccountSasBuilder(SasSigner signer, Function<Mono<SharedAccessSignature>, R> result) {
        super(signer, "rwdxylacuptfi", result);
    }

    @Override
    AccountSasBuilder<R> self() {
        return this;
    }

    @Override
    Mono<SharedAccessSignature> sign(SasSigner signer, Map<String, String> complete, @Nullable Instant end) {
        if (!complete.containsKey(SERVICES) || !complete.containsKey(LEVELS)) {
            throw new IllegalArgumentException("the signature of an account opens nothing: name its services by"
                    + " blobs(), queues() and tables(), and its levels by services(), containers() and objects()");
        }
        return signer.signAccount(new SasFields(signer.accountName(), "", complete), end);
    }

    private AccountSasBuilder<R> service(char letter) {
        return add(SERVICES, letter, "bqt");
    }

    private AccountSasBuilder<R> level(char letter) {
        return add(LEVELS, letter, "sco");
    }

    @Override
    public AccountSasBuilder<R> encryptedBy(String scope) {
        return encryptionScope(scope);
    }

    @Override
    public AccountSasBuilder<R> blobs() {
        return service('b');
    }

    @Override
    public AccountSasBuilder<R> queues() {
        return service('q');
    }

    @Override
    public AccountSasBuilder<R> tables() {
        return service('t');
    }

    @Override
    public AccountSasBuilder<R> services() {
        return level('s');
    }

    @Override
    public AccountSasBuilder<R> containers() {
        return level('c');
    }

    @Override
    public AccountSasBuilder<R> objects() {
        return level('o');
    }

    @Override
    public AccountSasBuilder<R> canRead() {
        return permit('r');
    }

    @Override
    public AccountSasBuilder<R> canWrite() {
        return permit('w');
    }

    @Override
    public AccountSasBuilder<R> canDelete() {
        return permit('d');
    }

    @Override
    public AccountSasBuilder<R> canDeleteVersions() {
        return permit('x');
    }

    @Override
    public AccountSasBuilder<R> canDeletePermanently() {
        return permit('y');
    }

    @Override
    public AccountSasBuilder<R> canList() {
        return permit('l');
    }

    @Override
    public AccountSasBuilder<R> canAdd() {
        return permit('a');
    }

    @Override
    public AccountSasBuilder<R> canCreate() {
        return permit('c');
    }

    @Override
    public AccountSasBuilder<R> canUpdate() {
        return permit('u');
    }

    @Override
    public AccountSasBuilder<R> canReceive() {
        return permit('p');
    }

    @Override
    public AccountSasBuilder<R> canTag() {
        return permit('t');
    }

    @Override
    public AccountSasBuilder<R> canFindByTags() {
        return permit('f');
    }

    @Override
    public AccountSasBuilder<R> canSetImmutability() {
        return permit('i');
    }
}
