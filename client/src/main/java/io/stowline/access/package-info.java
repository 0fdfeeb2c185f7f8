/**
 * Access for others: signatures that open one resource for a time, without a key on a device and without proxying the data.
 *
 * <p>Every holder makes them: {@link io.stowline.blob.BlobContainer#sas() a container and its blobs}, {@link io.stowline.queue.MessageQueue#sas() a
 * queue}, {@link io.stowline.table.Table#sas() a table}, {@link io.stowline.Stowline#sas() the account}. A builder names the permissions and
 * the time, and {@link io.stowline.access.SasBuilder#sign sign} gives a {@link io.stowline.access.SharedAccessSignature}:
 *
 * <pre>{@code
 * URI link = photos.sas("a.jpg").canCreate().canWrite().validFor(Duration.ofMinutes(30)).sign().uri();
 * }</pre>
 *
 * <p>A client with the account key signs with it. A client with a {@code TokenCredential} signs with a user delegation key, which it requests from
 * the service and keeps until it is about to end. A client that has only a signature cannot make others.
 *
 * <p>{@link io.stowline.access.AccessPolicies} of a container, queue or table are policies that the service stores: what signatures made by one of them
 * allow, and for how long. They take access back before its end.
 *
 * <p>A signature is a secret: its holder has the access. It is in no log, trace, meter, exception and {@code toString}; {@link
 * io.stowline.access.SharedAccessSignature#uri} and {@link io.stowline.access.SharedAccessSignature#token} are the two ways out.
 */
@NullMarked
package io.stowline.access;

import org.jspecify.annotations.NullMarked;
