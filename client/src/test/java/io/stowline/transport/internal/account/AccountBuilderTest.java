package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.credential.AzureSasCredential;
import com.azure.core.credential.TokenCredential;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class AccountBuilderTest {

    private static final AzureNamedKeyCredential KEY = new AzureNamedKeyCredential("acct", Bench.KEY);
    private static final AzureSasCredential SAS = new AzureSasCredential("sv=2024&sig=c2VjcmV0");
    private static final TokenCredential TOKENS = request -> Mono.<AccessToken>never();

    private final AccountBuilder plan = new AccountBuilder();

    private void refuses(String... parts) {
        assertThatIllegalArgumentException()
                .isThrownBy(plan::account)
                .satisfies(e -> assertThat(e.getMessage()).contains(parts).doesNotContain("c2VjcmV0", Bench.KEY));
    }

    @Test
    void oneEndpointGivesTheOthers() {
        StorageAccount account = plan.endpoint("https://acct.blob.core.windows.net")
                .credential(KEY)
                .account();

        assertThat(account.name()).isEqualTo("acct");
        assertThat(account.endpoint(Service.BLOB)).hasToString("https://acct.blob.core.windows.net");
        assertThat(account.endpoint(Service.TABLE)).hasToString("https://acct.table.core.windows.net");
        assertThat(account.secondary(Service.QUEUE).orElseThrow())
                .hasToString("https://acct-secondary.queue.core.windows.net");
    }

    @Test
    void explicitEndpointsWin() {
        StorageAccount account = plan.endpoint("https://acct.blob.core.windows.net")
                .endpoint(Service.TABLE, "https://tables.corp.test/")
                .credential(SAS)
                .account();

        assertThat(account.endpoint(Service.TABLE)).hasToString("https://tables.corp.test");
        assertThat(account.endpoint(Service.QUEUE)).hasToString("https://acct.queue.core.windows.net");
        assertThat(account.secondary(Service.TABLE)).isEmpty();
    }

    @Test
    void explicitEndpointsWinOverAConnectionString() {
        StorageAccount account = plan.connectionString("AccountName=acct;AccountKey=" + Bench.KEY)
                .endpoint(Service.TABLE, "http://10.1.2.3:8000/acct")
                .account();

        assertThat(account.endpoint(Service.TABLE)).hasToString("http://10.1.2.3:8000/acct");
        assertThat(account.endpoint(Service.BLOB)).hasToString("https://acct.blob.core.windows.net");
    }

    @Test
    void anEndpointWithAPortGivesItsOwnServiceOnly() {
        StorageAccount account = plan.endpoint("http://acct.queue.localhost:10001")
                .credential(KEY)
                .account();

        assertThat(account.endpoints()).containsOnlyKeys(Service.QUEUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://tables.example.com", "http://127.0.0.1:10002/acct", "http://[::1]/acct"})
    void anEndpointThatDoesNotShowItsServiceIsRefused(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.endpoint(uri))
                .withMessageContaining("must show its service")
                .withMessageContaining("tableEndpoint, queueEndpoint or blobEndpoint");
    }

    @Test
    void aConnectionStringMayLeaveTheCredentialToTheBuilder() {
        StorageAccount account = plan.connectionString("BlobEndpoint=https://acct.blob.core.windows.net")
                .credential(SAS)
                .account();

        assertThat(account.credential()).isInstanceOf(SasCredential.class);
        assertThat(account.name()).isEqualTo("acct");
    }

    @Test
    void theLastCredentialCounts() {
        plan.endpoint("https://acct.blob.core.windows.net");

        assertThat(plan.credential(TOKENS).credential(SAS).account().credential())
                .isInstanceOf(SasCredential.class);
        assertThat(plan.credential(SAS).credential(TOKENS).account().credential())
                .isInstanceOf(BearerTokenCredential.class);
        assertThat(plan.credential(TOKENS).credential(KEY).account().credential())
                .isInstanceOf(SharedKeyCredential.class);
    }

    @Test
    @DisplayName("DESIGN: an emulator is never a silent default")
    void nothingGivenIsAnError() {
        refuses("no account is given", "connectionString", "endpoint", "tableEndpoint");
    }

    @Test
    void aMissingCredentialIsNamed() {
        plan.endpoint("https://acct.blob.core.windows.net");
        refuses("no credential is given: give credential");
    }

    @Test
    void twoCredentialsAreRefused() {
        plan.connectionString("AccountName=acct;AccountKey=" + Bench.KEY).credential(SAS);
        refuses("two credentials", "connectionString", "credential");
    }

    @Test
    void tokensDoNotGoWithAKeyInTheConnectionString() {
        plan.connectionString("AccountName=acct;AccountKey=" + Bench.KEY).credential(TOKENS);
        refuses("two credentials");
    }

    @Test
    void aConnectionStringAndAnEndpointAreRefused() {
        plan.connectionString("AccountName=acct;AccountKey=" + Bench.KEY)
                .endpoint("https://acct.blob.core.windows.net");
        refuses("connectionString and endpoint");
    }

    @Test
    void aKeyOfAnotherAccountIsRefused() {
        plan.endpoint("https://other.blob.core.windows.net").credential(KEY);
        refuses("endpoint is an endpoint of the account other, not of acct");
    }

    @Test
    void aDomainOfOnesOwnMayLookLikeAnotherAccount() {
        StorageAccount account = plan.endpoint(Service.BLOB, "https://media.blob.example.com")
                .credential(KEY)
                .account();

        assertThat(account.name()).isEqualTo("acct");
        assertThat(account.secondaries()).isEmpty();
    }

    @Test
    void endpointsOfTwoAccountsAreRefused() {
        plan.endpoint(Service.BLOB, "https://acct.blob.core.windows.net")
                .endpoint(Service.TABLE, "https://other.table.core.windows.net")
                .credential(SAS);
        refuses("an endpoint of the account");
    }

    @Test
    void anEndpointOfTheWrongServiceIsRefused() {
        plan.endpoint(Service.TABLE, "https://acct.blob.core.windows.net").credential(SAS);
        refuses("tableEndpoint is not an endpoint of the table service");
    }

    @Test
    void namesOfDifferentAccountsAreRefused() {
        plan.endpoint(Service.TABLE, "https://t.test").accountName("other").credential(KEY);
        refuses("name different accounts: acct, other");
    }

    @Test
    void aKeyOfAnotherAccountThanTheConnectionStringsIsRefused() {
        plan.connectionString("AccountName=other;TableEndpoint=https://t.test").credential(KEY);
        refuses("name different accounts: acct, other");
    }

    @Test
    void theCaseOfANameDoesNotMatter() {
        plan.endpoint("https://ACCT.table.core.windows.net").accountName("Acct").credential(KEY);

        assertThat(plan.account().name()).isEqualTo("acct");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: what cannot be a name may be a key in the wrong place, and is not shown")
    @ValueSource(strings = {" ", "c2VjcmV0c2VjcmV0==", "a/b", "a.b"})
    void whatIsNoNameIsRefusedUnseen(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.accountName(name))
                .withMessageStartingWith("accountName is not a name")
                .withMessageNotContaining(name.isBlank() ? "  " : name);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.credential(new AzureNamedKeyCredential(name, "acct")))
                .withMessageContaining("the account name of credential is not a name")
                .withMessageNotContaining(name.isBlank() ? "  " : name);
    }

    @Test
    void theAccountsNameIsRequestedWhereNothingShowsIt() {
        plan.endpoint(Service.TABLE, "https://t.test").credential(SAS);
        refuses("give accountName");

        assertThat(plan.accountName("acct").account().name()).isEqualTo("acct");
    }

    @Test
    void aPathShowsTheAccount() {
        StorageAccount account = plan.endpoint(Service.TABLE, "http://127.0.0.1:10002/devstoreaccount1")
                .credential(SAS)
                .account();

        assertThat(account.name()).isEqualTo("devstoreaccount1");
    }

    @Test
    void tokensAreNotSentInTheOpen() {
        plan.endpoint("https://acct.blob.core.windows.net")
                .endpoint(Service.QUEUE, "http://queues.corp.test")
                .credential(TOKENS);
        refuses("https only", "queueEndpoint gives http://queues.corp.test");
    }

    @Test
    void norToAReadOnlyCopyInTheOpen() {
        plan.connectionString("TableEndpoint=https://t.test;TableSecondaryEndpoint=http://s.test")
                .accountName("acct")
                .credential(TOKENS);
        refuses("https only", "TableSecondaryEndpoint gives http://s.test");
    }

    @Test
    void whatIsNoSignatureIsRefusedUnseen() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan.credential(new AzureSasCredential("c2VjcmV0")))
                .withMessageContaining("credential is not a shared access signature")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("c2VjcmV0"));
    }

    @Test
    void aMissingEndpointIsNamedWhenItIsRequested() {
        StorageAccount account = plan.endpoint(Service.BLOB, "https://b.test")
                .accountName("acct")
                .credential(SAS)
                .account();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> account.endpoint(Service.TABLE))
                .withMessageContaining("table endpoint")
                .withMessageContaining("tableEndpoint");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a signature leaves in plain text for this machine only, unless that is allowed")
    @ValueSource(
            strings = {
                "http://azurite:10002/acct",
                "http://acct.table.core.windows.net",
                "http://127.0.0.1.evil.test/acct",
                "http://localhost.evil.test/acct",
                "http://10.0.0.1:10002/acct",
                "HTTP://tables.example"
            })
    void signaturesInPlainText(String endpoint) {
        AccountBuilder plan = new AccountBuilder()
                .accountName("acct")
                .endpoint(Service.TABLE, endpoint)
                .credential(new AzureSasCredential("sv=1&sig=TOPSECRET"));

        assertThatIllegalArgumentException()
                .isThrownBy(plan::account)
                .withMessageContaining("tableEndpoint gives http://")
                .withMessageContaining("allowSasOverHttp()");
        assertThat(plan.allowSasOverHttp().account().name()).isEqualTo("acct");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:10002/acct",
                "http://127.1.2.3:10002/acct",
                "http://[::1]:10002/acct",
                "http://LOCALHOST:10002/acct",
                "http://acct.table.localhost:10002",
                "https://tables.example"
            })
    void signaturesForThisMachine(String endpoint) {
        AccountBuilder plan = new AccountBuilder()
                .accountName("acct")
                .endpoint(Service.TABLE, endpoint)
                .credential(new AzureSasCredential("sv=1&sig=TOPSECRET"));

        assertThat(plan.account().name()).isEqualTo("acct");
    }
}
