package io.stowline.access.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobContainerClientBuilder;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.models.UserDelegationKey;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.sas.AccountSasPermission;
import com.azure.storage.common.sas.AccountSasResourceType;
import com.azure.storage.common.sas.AccountSasService;
import com.azure.storage.common.sas.AccountSasSignatureValues;
import com.azure.storage.common.sas.SasIpRange;
import com.azure.storage.common.sas.SasProtocol;
import com.azure.storage.queue.QueueClientBuilder;
import com.azure.storage.queue.sas.QueueSasPermission;
import com.azure.storage.queue.sas.QueueServiceSasSignatureValues;
import io.stowline.access.AccountSasBuilder;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.BlobServiceSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.QueueSasBuilder;
import io.stowline.access.SasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.HmacSigner;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.SharedKeyCredential;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** ACCESS-1: signatures equal, parameter by parameter, those of the Azure SDK's builders for the same fields. */
@Label("ACCESS-1: signatures equal those of the Azure SDK's builders for the same fields")
class SdkSignaturesTest {

    private static final String ACCOUNT = "acct";
    private static final String KEY = "c3Rvd2xpbmUtdGVzdC1rZXk=";
    private static final StorageSharedKeyCredential SDK_KEY = new StorageSharedKeyCredential(ACCOUNT, KEY);
    private static final URI BLOBS = URI.create("https://acct.blob.core.windows.net");
    private static final URI QUEUES = URI.create("https://acct.queue.core.windows.net");
    private static final Instant SOON = Instant.parse("2999-01-01T00:00:00Z");
    private static final StorageAccount STORAGE = new StorageAccount(
            ACCOUNT,
            new SharedKeyCredential(new AzureNamedKeyCredential(ACCOUNT, KEY)),
            Map.of(Service.BLOB, BLOBS, Service.QUEUE, QUEUES));

    /** The SDK signs with its newest version only. */
    private static final String VERSION = parameters(new BlobClientBuilder()
                    .endpoint(BLOBS.toString())
                    .credential(SDK_KEY)
                    .containerName("c")
                    .blobName("b")
                    .buildClient()
                    .generateSas(new BlobServiceSasSignatureValues(
                            utc(SOON), new BlobSasPermission().setReadPermission(true))))
            .get("sv");

    private static ClientRuntime runtime = open();

    private static ClientRuntime open() {
        ClientSettings defaults = ClientSettings.DEFAULT;
        return ClientRuntime.open(
                STORAGE,
                new ClientSettings(
                        defaults.retry(),
                        defaults.bounds(),
                        defaults.http(),
                        null,
                        null,
                        defaults.readFrom(),
                        null,
                        defaults.clockTolerance(),
                        new ServiceVersion(VERSION)));
    }

    @BeforeContainer
    static void opens() {
        runtime.close(Duration.ofSeconds(5)).block();
        runtime = open();
    }

    @AfterContainer
    static void closes() {
        runtime.close(Duration.ofSeconds(5)).block();
    }

    /** Fields that all kinds of signatures have. */
    record Common(
            Set<Character> permissions,
            Instant end,
            @Nullable Instant start,
            @Nullable String firstIp,
            @Nullable String lastIp,
            boolean http,
            @Nullable String policy) {}

    /** Fields of blobs. */
    record Served(
            @Nullable String cacheControl,
            @Nullable String disposition,
            @Nullable String encoding,
            @Nullable String language,
            @Nullable String type,
            @Nullable String scope) {}

    private static Arbitrary<String> text() {
        return Arbitraries.strings().ofMinLength(1).ofMaxLength(12).filter(text -> text.chars()
                .noneMatch(Character::isISOControl));
    }

    private static Arbitrary<Common> common(String letters) {
        Arbitrary<Instant> times = Arbitraries.longs()
                .between(0, 1_000_000_000)
                .map(seconds -> Instant.parse("2990-01-01T00:00:00Z").plusSeconds(seconds));
        Arbitrary<String> addresses = Arbitraries.integers().between(1, 254).map(last -> "10.1.2." + last);
        return Combinators.combine(
                        Arbitraries.of(letters.chars().mapToObj(c -> (char) c).toList())
                                .set()
                                .ofMinSize(1),
                        times,
                        times.injectNull(0.5),
                        addresses.injectNull(0.5),
                        addresses.injectNull(0.5),
                        Arbitraries.of(true, false),
                        Arbitraries.strings()
                                .alpha()
                                .ofMinLength(1)
                                .ofMaxLength(64)
                                .injectNull(0.6))
                .as(Common::new)
                .filter(common -> (common.start == null || common.start.isBefore(common.end))
                        && (common.firstIp == null
                                || common.lastIp == null
                                || Integer.parseInt(common.firstIp.substring(7))
                                        <= Integer.parseInt(common.lastIp.substring(7))));
    }

    @Provide
    Arbitrary<Common> forBlobs() {
        return common("racwdxyti");
    }

    @Provide
    Arbitrary<Common> forContainers() {
        return common("racwdxltfi");
    }

    @Provide
    Arbitrary<Common> forQueues() {
        return common("raup");
    }

    @Provide
    Arbitrary<Common> forAccounts() {
        return common("rwdxylacuptfi");
    }

    @Provide
    Arbitrary<Served> served() {
        Arbitrary<String> texts = text().injectNull(0.5);
        Arbitrary<String> scopes = Arbitraries.strings()
                .alpha()
                .numeric()
                .ofMinLength(3)
                .ofMaxLength(63)
                .injectNull(0.5);
        return Combinators.combine(texts, texts, texts, texts, texts, scopes).as(Served::new);
    }

    @Provide
    Arbitrary<String> blobNames() {
        return text();
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static Map<String, String> parameters(String token) {
        Map<String, String> parameters = new TreeMap<>();
        for (String parameter : token.split("&", -1)) {
            int value = parameter.indexOf('=');
            parameters.put(
                    parameter.substring(0, value),
                    URLDecoder.decode(parameter.substring(value + 1), StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static <B extends SasBuilder<B, SharedAccessSignature>> B commonly(
            B builder, Common fields, Map<Character, Function<B, B>> verbs) {
        B set = builder.until(fields.end);
        for (char letter : fields.permissions) {
            set = verbs.get(letter).apply(set);
        }
        if (fields.start != null) {
            set = set.startingAt(fields.start);
        }
        if (fields.firstIp != null) {
            set = fields.lastIp == null ? set.onlyFrom(fields.firstIp) : set.onlyFrom(fields.firstIp, fields.lastIp);
        }
        return fields.http ? set.overHttpToo() : set;
    }

    private static <B extends BlobServiceSasBuilder<B, SharedAccessSignature>>
            Map<Character, Function<B, B>> blobVerbs() {
        return Map.of(
                'r', BlobServiceSasBuilder::canRead,
                'a', BlobServiceSasBuilder::canAppend,
                'c', BlobServiceSasBuilder::canCreate,
                'w', BlobServiceSasBuilder::canWrite,
                'd', BlobServiceSasBuilder::canDelete,
                'x', BlobServiceSasBuilder::canDeleteVersions,
                't', BlobServiceSasBuilder::canTag,
                'i', BlobServiceSasBuilder::canSetImmutability);
    }

    private static <B extends BlobServiceSasBuilder<B, SharedAccessSignature>> B serving(
            B builder, Common common, Served served) {
        B set = builder;
        set = common.policy == null ? set : set.byPolicy(common.policy);
        set = served.cacheControl == null ? set : set.servedWithCacheControl(served.cacheControl);
        set = served.disposition == null ? set : set.servedWithContentDisposition(served.disposition);
        set = served.encoding == null ? set : set.servedWithContentEncoding(served.encoding);
        set = served.language == null ? set : set.servedWithContentLanguage(served.language);
        set = served.type == null ? set : set.servedWithContentType(served.type);
        return served.scope == null ? set : set.encryptedBy(served.scope);
    }

    private static String letters(Common common) {
        StringBuilder letters = new StringBuilder();
        common.permissions.forEach(letters::append);
        return letters.toString();
    }

    private static BlobServiceSasSignatureValues sdkValues(
            BlobServiceSasSignatureValues values, Common common, Served served) {
        values.setStartTime(common.start == null ? null : utc(common.start))
                .setSasIpRange(range(common))
                .setProtocol(protocol(common))
                .setCacheControl(served.cacheControl)
                .setContentDisposition(served.disposition)
                .setContentEncoding(served.encoding)
                .setContentLanguage(served.language)
                .setContentType(served.type);
        return common.policy == null ? values : values.setIdentifier(common.policy);
    }

    private static @Nullable SasIpRange range(Common common) {
        if (common.firstIp == null) {
            return null;
        }
        SasIpRange range = new SasIpRange().setIpMin(common.firstIp);
        return common.lastIp == null || common.lastIp.equals(common.firstIp) ? range : range.setIpMax(common.lastIp);
    }

    private static SasProtocol protocol(Common common) {
        return common.http ? SasProtocol.HTTPS_HTTP : SasProtocol.HTTPS_ONLY;
    }

    private static SasSigner signer(Service service) {
        return new SasSigner(STORAGE, service, runtime.to(service), RetrySettings.defaults());
    }

    private static SharedAccessSignature now(Mono<SharedAccessSignature> signature) {
        return signature.block();
    }

    @Property(tries = 200)
    void blob(@ForAll("forBlobs") Common common, @ForAll("served") Served served, @ForAll("blobNames") String name) {
        Map<Character, Function<BlobSasBuilder<SharedAccessSignature>, BlobSasBuilder<SharedAccessSignature>>> verbs =
                new TreeMap<>(SdkSignaturesTest.<BlobSasBuilder<SharedAccessSignature>>blobVerbs());
        verbs.put('y', BlobSasBuilder::canDeletePermanently);
        BlobSasBuilder<SharedAccessSignature> ours = commonly(
                DefaultBlobSasBuilder.of(signer(Service.BLOB), "photos/" + name, BLOBS, SdkSignaturesTest::now),
                common,
                verbs);
        BlobClient sdk = new BlobClientBuilder()
                .endpoint(BLOBS.toString())
                .credential(SDK_KEY)
                .containerName("photos")
                .blobName(name)
                .buildClient();
        BlobServiceSasSignatureValues values = sdkValues(
                new BlobServiceSasSignatureValues(utc(common.end), BlobSasPermission.parse(letters(common))),
                common,
                served);
        BlobClient scoped = served.scope == null ? sdk : sdk.getEncryptionScopeClient(served.scope);

        assertThat(parameters(serving(ours, common, served).sign().token()))
                .isEqualTo(parameters(scoped.generateSas(values)));
    }

    /** The SDK's container client does not put its encryption scope into signatures. */
    @Property(tries = 200)
    void container(@ForAll("forContainers") Common common, @ForAll("served") Served scoped) {
        Served served = new Served(
                scoped.cacheControl, scoped.disposition, scoped.encoding, scoped.language, scoped.type, null);
        Map<Character, Function<ContainerSasBuilder<SharedAccessSignature>, ContainerSasBuilder<SharedAccessSignature>>>
                verbs = new TreeMap<>(SdkSignaturesTest.<ContainerSasBuilder<SharedAccessSignature>>blobVerbs());
        verbs.put('l', ContainerSasBuilder::canList);
        verbs.put('f', ContainerSasBuilder::canFindByTags);
        ContainerSasBuilder<SharedAccessSignature> ours = commonly(
                new DefaultContainerSasBuilder<>(signer(Service.BLOB), "photos", BLOBS, SdkSignaturesTest::now),
                common,
                verbs);
        BlobContainerClient sdk = new BlobContainerClientBuilder()
                .endpoint(BLOBS.toString())
                .credential(SDK_KEY)
                .containerName("photos")
                .buildClient();
        BlobServiceSasSignatureValues values = sdkValues(
                new BlobServiceSasSignatureValues(utc(common.end), BlobContainerSasPermission.parse(letters(common))),
                common,
                served);

        assertThat(parameters(serving(ours, common, served).sign().token()))
                .isEqualTo(parameters(sdk.generateSas(values)));
    }

    @Property(tries = 100)
    void queue(@ForAll("forQueues") Common common) {
        QueueSasBuilder<SharedAccessSignature> ours =
                SdkSignaturesTest.<QueueSasBuilder<SharedAccessSignature>>commonly(
                        new DefaultQueueSasBuilder<>(signer(Service.QUEUE), "orders", SdkSignaturesTest::now),
                        common,
                        Map.of(
                                'r', QueueSasBuilder::canPeek,
                                'a', QueueSasBuilder::canSend,
                                'u', QueueSasBuilder::canUpdate,
                                'p', QueueSasBuilder::canReceive));
        QueueServiceSasSignatureValues values = new QueueServiceSasSignatureValues(
                        utc(common.end), QueueSasPermission.parse(letters(common)))
                .setStartTime(common.start == null ? null : utc(common.start))
                .setSasIpRange(range(common))
                .setProtocol(protocol(common));
        if (common.policy != null) {
            values.setIdentifier(common.policy);
            ours.byPolicy(common.policy);
        }
        String sdk = new QueueClientBuilder()
                .endpoint(QUEUES.toString())
                .credential(SDK_KEY)
                .queueName("orders")
                .buildClient()
                .generateSas(values);

        assertThat(parameters(ours.sign().token())).isEqualTo(parameters(sdk));
    }

    @Property(tries = 100)
    void account(
            @ForAll("forAccounts") Common common,
            @ForAll boolean blobs,
            @ForAll boolean queues,
            @ForAll boolean services,
            @ForAll boolean containers) {
        AccountSasBuilder<SharedAccessSignature> ours =
                SdkSignaturesTest.<AccountSasBuilder<SharedAccessSignature>>commonly(
                        new DefaultAccountSasBuilder<>(signer(Service.BLOB), SdkSignaturesTest::now),
                        common,
                        Map.ofEntries(
                                Map.entry('r', AccountSasBuilder::canRead),
                                Map.entry('w', AccountSasBuilder::canWrite),
                                Map.entry('d', AccountSasBuilder::canDelete),
                                Map.entry('x', AccountSasBuilder::canDeleteVersions),
                                Map.entry('y', AccountSasBuilder::canDeletePermanently),
                                Map.entry('l', AccountSasBuilder::canList),
                                Map.entry('a', AccountSasBuilder::canAdd),
                                Map.entry('c', AccountSasBuilder::canCreate),
                                Map.entry('u', AccountSasBuilder::canUpdate),
                                Map.entry('p', AccountSasBuilder::canReceive),
                                Map.entry('t', AccountSasBuilder::canTag),
                                Map.entry('f', AccountSasBuilder::canFindByTags),
                                Map.entry('i', AccountSasBuilder::canSetImmutability)));
        ours.tables().objects();
        AccountSasService sdkServices = new AccountSasService().setTableAccess(true);
        AccountSasResourceType levels = new AccountSasResourceType().setObject(true);
        if (blobs) {
            ours.blobs();
            sdkServices.setBlobAccess(true);
        }
        if (queues) {
            ours.queues();
            sdkServices.setQueueAccess(true);
        }
        if (services) {
            ours.services();
            levels.setService(true);
        }
        if (containers) {
            ours.containers();
            levels.setContainer(true);
        }
        String sdk = new BlobServiceClientBuilder()
                .endpoint(BLOBS.toString())
                .credential(SDK_KEY)
                .buildClient()
                .generateAccountSas(new AccountSasSignatureValues(
                                utc(common.end), AccountSasPermission.parse(letters(common)), sdkServices, levels)
                        .setStartTime(common.start == null ? null : utc(common.start))
                        .setSasIpRange(range(common))
                        .setProtocol(protocol(common)));

        assertThat(parameters(ours.sign().token())).isEqualTo(parameters(sdk));
    }

    /** The SDK makes those of blobs only; it has its newest version in the fields. */
    @Property(tries = 100)
    void delegatedBlob(@ForAll("forBlobs") Common common, @ForAll("served") Served served) {
        UserDelegationKey key = new UserDelegationKey()
                .setSignedObjectId("11111111-1111-1111-1111-111111111111")
                .setSignedTenantId("22222222-2222-2222-2222-222222222222")
                .setSignedStart(utc(SOON.minusSeconds(60)))
                .setSignedExpiry(utc(SOON))
                .setSignedService("b")
                .setSignedVersion("2020-02-10")
                .setValue(KEY);
        Common withoutPolicy = new Common(
                common.permissions, common.end, common.start, common.firstIp, common.lastIp, common.http, null);
        String sdk = new BlobClientBuilder()
                .endpoint(BLOBS.toString())
                .containerName("photos")
                .blobName("a.jpg")
                .buildClient()
                .generateUserDelegationSas(
                        sdkValues(
                                new BlobServiceSasSignatureValues(
                                        utc(common.end), BlobSasPermission.parse(letters(common))),
                                withoutPolicy,
                                served),
                        key,
                        ACCOUNT,
                        null);
        Map<String, String> expected = parameters(sdk);
        Map<String, String> fields = new TreeMap<>(expected);
        fields.remove("sig");
        DelegationKey ours = new DelegationKey(
                Map.of(
                        "skoid", expected.get("skoid"),
                        "sktid", expected.get("sktid"),
                        "skt", expected.get("skt"),
                        "ske", expected.get("ske"),
                        "sks", "b",
                        "skv", "2020-02-10"),
                SOON,
                HmacSigner.of(KEY));

        assertThat(ours.signer()
                        .sign(StringToSign.service(
                                Service.BLOB, new SasFields("/blob/acct/photos/a.jpg", "", fields), ours)))
                .isEqualTo(expected.get("sig"));
        assertThat(List.of("skt", "ske"))
                .allSatisfy(time -> assertThat(expected.get(time)).endsWith("Z"));
    }
}
