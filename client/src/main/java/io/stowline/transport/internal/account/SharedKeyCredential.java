package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.StorageSharedKeyCredentialPolicy;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.http.DirectRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An account key with the account's name, which the application may exchange while the client runs. */
public final class SharedKeyCredential implements AccountCredential {

    private final AzureNamedKeyCredential credential;
    private volatile KeySigner signer;

    /**
     * Checks the key that is held now.
     *
     * @throws IllegalArgumentException if the name is no name or the key is not Base64; neither is shown
     */
    public SharedKeyCredential(AzureNamedKeyCredential credential) {
        NameRules.account(
                "the account name of credential", credential.getAzureNamedKey().getName());
        this.credential = credential;
        this.signer = KeySigner.of(credential.getAzureNamedKey());
    }

    @Override
    public Authorizer authorizer(Service service) {
        return service == Service.TABLE ? new TableSharedKey(this) : new StorageSharedKey(this);
    }

    @Override
    public String account() {
        return current().getName();
    }

    @Override
    public String scope() {
        AzureNamedKey key = current();
        return AccountCredential.fingerprint("key of " + key.getName(), key.getKey());
    }

    @Override
    public List<HttpPipelinePolicy> signers() {
        return List.of(new StorageSharedKeyCredentialPolicy(
                StorageSharedKeyCredential.fromAzureNamedKeyCredential(credential)));
    }

    AzureNamedKeyCredential credential() {
        return credential;
    }

    AzureNamedKey current() {
        return credential.getAzureNamedKey();
    }

    /** Returns the proof of an attempt, which is worth another one if the key was exchanged since. */
    Authorizer.Proof proof(AzureNamedKey used) {
        return refusal ->
                changed(used) ? refusal.status() + ", but the account key has changed since the attempt began" : null;
    }

    /** Signs a request, and returns the proof by which a refusal is judged. */
    Authorizer.Proof signed(HttpRequest request, KeySigner current, SignedText stringToSign) {
        String signature = current.key().sign(stringToSign);
        request.setHeader(HttpHeaderName.AUTHORIZATION, "SharedKey " + current.account() + ":" + signature);
        return proof(current.source());
    }

    /** Adds the path of an address to a string to sign, and returns where its query begins, or -1. */
    static int addPath(SignedText text, String address) {
        int query = address.indexOf('?');
        int end = query < 0 ? address.length() : query;
        int path = address.indexOf('/', address.indexOf("://") + 3);
        if (path < 0 || path >= end) {
            text.add('/');
        } else {
            text.add(address, path, end);
        }
        return query;
    }

    /** Returns the value of a header as a string to sign has it. */
    static String value(HttpRequest request, HttpHeaderName name) {
        String value = DirectRequest.header(request, name);
        return value == null ? "" : value;
    }

    private boolean changed(@Nullable AzureNamedKey used) {
        return used != current();
    }

    @Override
    public String toString() {
        return "NamedKey[" + account() + ", not shown]";
    }

    /**
     * Signs a text that is no request, such as the fields of a shared access signature.
     *
     * @return the signature in Base64, by the key of this moment
     */
    public String sign(CharSequence text) {
        return signer().key().sign(text);
    }

    /** Returns the key in the form that signs, made once for each key. */
    KeySigner signer() {
        KeySigner known = signer;
        AzureNamedKey now = current();
        if (known.source() != now) {
            known = KeySigner.of(now);
            signer = known;
        }
        return known;
    }

    /**
     * A key in the form that signs.
     *
     * @param account the account that it opens
     */
    record KeySigner(AzureNamedKey source, String account, HmacSigner key) {
        private static KeySigner of(AzureNamedKey source) {
            return new KeySigner(source, source.getName(), HmacSigner.of(source.getKey()));
        }
    }
}
